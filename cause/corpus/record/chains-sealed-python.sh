#!/usr/bin/env bash
# Chains of Python commands for the sealed part.
. "$(dirname "$0")/chains-lib.sh"
[ "$OUT" != "$here/.." ] || OUT=$here/../sealed

new pytest-click pytest
tarball $CHAINS/src/py/click-8.5.1.tar.gz
edit src/click/formatting.py 's/indent_increment: int = 2/indent_increment: int = 3/'
run <<'END'
python --version
python -m pip list --format=freeze
ruff check --exit-zero --select F,E7 src
PYTHONPATH=src python -m pytest -q --tb=short -p no:cacheprovider tests/test_formatting.py tests/test_basic.py tests/test_options.py tests/test_arguments.py
END

new pytest-jinja-cov pytest
tarball $CHAINS/src/py/jinja2-3.1.6.tar.gz
edit src/jinja2/utils.py 's/if not self\.used:/if self.used:/'
run <<'END'
PYTHONPATH=src python -m pytest -p no:asyncio -v --cov=src/jinja2 --cov-report=term tests
END

new unittest-more-itertools unittest
tarball $CHAINS/src/py/more_itertools-11.2.1.tar.gz
edit more_itertools/more.py '0,/^def chunked_even/!{0,/lists, size \* n|full_size = /s/full_size = /full_size = 1 + /}'
run <<'END'
python -m unittest -v tests.test_more
END

new pytest-marshmallow-xdist pytest
tarball $CHAINS/src/py/marshmallow-4.4.0.tar.gz
edit src/marshmallow/fields.py 's/return str\(value\)\.strip/return str(value)/;s/(def _validate_missing.*)/\1/;0,/truthy = \{/s//truthy = {"nope",/;s/"falsy", "off",//;s/"Off",//'
run <<'END'
PYTHONPATH=src python -m pytest -n 2 -v tests
END

new toolz-doctest pytest
tarball $CHAINS/src/py/toolz-1.2.0.tar.gz
edit toolz/itertoolz.py '/^def sliding_window/,/^no_pad/s/itertools\.tee\(seq, n\)/itertools.tee(seq, n + 1)/'
run <<'END'
python -m pytest -p no:asyncio --doctest-modules -v toolz
python -m build --sdist .
END

new pytest-networkx-import pytest
tarball $CHAINS/src/py/networkx-3.6.1.tar.gz
edit networkx/utils/heaps.py 's/^import networkx as nx/import networkx as nx\nfrom networkx.classes.graph import Grph/'
run <<'END'
python -c "import sys; print(sys.version)"
mypy --version
PYTHONPATH=. python -m pytest -q networkx/utils networkx/classes
END

new django-migrate django
put manage.py <<'E'
import os, sys
os.environ['DJANGO_SETTINGS_MODULE'] = 'site_settings'
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
E
put site_settings.py <<'E'
SECRET_KEY = 'x'
INSTALLED_APPS = ['django.contrib.admin', 'django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', 'django.contrib.messages', 'ledger']
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'db.sqlite3'}}
DEFAULT_AUTO_FIELD = 'django.db.models.AutoField'
MIDDLEWARE = ['django.contrib.sessions.middleware.SessionMiddleware', 'django.contrib.auth.middleware.AuthenticationMiddleware', 'django.contrib.messages.middleware.MessageMiddleware']
TEMPLATES = [{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True, 'OPTIONS': {'context_processors': ['django.template.context_processors.request', 'django.contrib.auth.context_processors.auth', 'django.contrib.messages.context_processors.messages']}}]
E
put ledger/__init__.py <<'E'
E
put ledger/models.py <<'E'
from django.db import models
class Entry(models.Model):
    failed = models.BooleanField(default=False)
    owner = models.TextField()
E
put ledger/migrations/__init__.py <<'E'
E
put ledger/migrations/0001_initial.py <<'E'
from django.db import migrations, models
class Migration(migrations.Migration):
    initial = True
    operations = [migrations.CreateModel('Entry', [('id', models.AutoField(primary_key=True)), ('failed', models.BooleanField(default=False))])]
E
put ledger/migrations/0002_owner.py <<'E'
from django.db import migrations, models
def fill(apps, schema):
    e = apps.get_model('ledger', 'Entry')
    print(' filling errors', end='')
    e.objects.create(failed=True, owner=None)
class Migration(migrations.Migration):
    dependencies = [('ledger', '0001_initial')]
    operations = [migrations.AddField('Entry', 'owner', models.TextField(default='')), migrations.RunPython(fill)]
E
run <<'END'
python manage.py check
python manage.py makemigrations --check --dry-run || true
python manage.py migrate --no-input
python manage.py test
END

new django-makemigrations-check django
put manage.py <<'E'
import os, sys
os.environ['DJANGO_SETTINGS_MODULE'] = 'site_settings'
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
E
put site_settings.py <<'E'
SECRET_KEY = 'x'
INSTALLED_APPS = ['ledger']
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'db.sqlite3'}}
E
put ledger/__init__.py <<'E'
E
put ledger/models.py <<'E'
from django.db import models
class Error(models.Model):
    failed = models.BooleanField(default=False)
    code = models.IntegerField(null=True)
E
put ledger/migrations/__init__.py <<'E'
E
put ledger/migrations/0001_initial.py <<'E'
from django.db import migrations, models
class Migration(migrations.Migration):
    initial = True
    operations = [migrations.CreateModel('Error', [('id', models.AutoField(primary_key=True)), ('failed', models.BooleanField(default=False))])]
E
run <<'END'
python manage.py check --fail-level ERROR
python manage.py migrate --no-input
python manage.py makemigrations --check --dry-run
python manage.py test --parallel
END

new django-system-check django
put manage.py <<'E'
import os, sys
os.environ['DJANGO_SETTINGS_MODULE'] = 'site_settings'
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
E
put site_settings.py <<'E'
SECRET_KEY = 'x'
INSTALLED_APPS = ['django.contrib.contenttypes', 'django.contrib.auth', 'shop']
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'db.sqlite3'}}
E
put shop/__init__.py <<'E'
E
put shop/models.py <<'E'
from django.db import models
class Order(models.Model):
    buyer = models.ForeignKey('auth.User', on_delete=models.CASCADE)
    failed_by = models.ForeignKey('auth.User', on_delete=models.CASCADE)
    state = models.CharField(default='error')
E
run <<'END'
python manage.py collectstatic --no-input || echo "no static files yet"
python manage.py test
END

new pytest-collect-many pytest
put pytest.ini <<'E'
[pytest]
addopts = --strict-markers
E
many 30 tests/test_error@.py <<'E'
import pytest
@pytest.mark.parametrize('n', range(9))
def test_error@(n): assert n >= 0
E
put tests/test_slow.py <<'E'
import pytest
@pytest.mark.slow
def test_failed_job(): pass
E
run <<'END'
pytest -v tests
END

new pytest-conftest-import pytest
put tests/conftest.py <<'E'
import os
TOKEN = os.environ['LEDGER_TOKEN']
E
put tests/test_a.py <<'E'
def test_error(): pass
E
run <<'END'
pip --version
pytest -v tests
END

new pytest-internal-error pytest
put tests/conftest.py <<'E'
def pytest_collection_modifyitems(items):
    items.sort(key=lambda i: i.get_closest_marker('order').args[0])
E
put tests/test_a.py <<'E'
import pytest
@pytest.mark.order(2)
def test_error(): pass
def test_failed(): pass
E
run <<'END'
pytest tests
END

new syrupy-snapshot pytest
put tests/test_page.py <<'E'
import pytest
@pytest.mark.parametrize('n', range(25))
def test_error_page(n): print('ERROR', n)
def render(rows): return '<table>' + ''.join(f'<tr><td>{r}</td></tr>' for r in rows) + '</table>'
def test_table(snapshot): assert render(['a', 'b']).split('>') == snapshot
E
PRE='pytest -q --snapshot-update tests; sed -i "s#<td>{r}#<td class=\"cell\">{r}#" tests/test_page.py; rm -rf .pytest_cache'
run <<'END'
pytest -v tests
END
PRE=

new pytest-teardown-error pytest
put tests/test_pool.py <<'E'
import pytest, logging
log = logging.getLogger('pool')
@pytest.fixture(scope='module')
def pool():
    p = {'open': 3}
    yield p
    log.error('closing pool')
    assert p['open'] == 0, f"{p['open']} connections were not given back"
@pytest.mark.parametrize('n', range(120))
def test_error(pool, n): log.error('query %d failed, retried', n)
E
run <<'END'
pytest -v --tb=short tests
END

new numpy-allclose pytest
put tests/test_fit.py <<'E'
import numpy as np, pytest
@pytest.mark.parametrize('n', range(30))
def test_error_is_small(n): np.testing.assert_array_less(np.zeros(3), np.ones(3))
def test_fit():
    x = np.arange(6, dtype=float); got = np.polyval([2.0, 1.0], x); got[3] += 0.01
    np.testing.assert_allclose(got, 2 * x + 1, rtol=1e-5)
E
run <<'END'
python -c "import numpy; print(numpy.__version__)"
pytest -v --tb=short tests
END

new pandas-frame pytest
put tests/test_report.py <<'E'
import pandas as pd, warnings
def report(): return pd.DataFrame({'state': ['failed', 'ok'], 'n': [3, 4]})
def test_error_rows(): warnings.warn('FutureWarning: error'); assert len(report()) == 2
def test_report(): pd.testing.assert_frame_equal(report(), pd.DataFrame({'state': ['failed', 'ok'], 'n': [3.0, 4.0]}))
E
run <<'END'
pytest tests
END

new uv-lock-check uv
put pyproject.toml <<'E'
[project]
name = "ledger"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["idna>=3.4"]
E
PRE='uv lock; sed -i "s/idna>=3.4/idna>=3.4\", \"toolz>=1.0/" pyproject.toml'
run <<'END'
uv --version
uv sync --locked
uv run pytest
END
PRE=

new pipenv-deploy pipenv
put Pipfile <<'E'
[packages]
idna = "*"
[requires]
python_version = "3.11"
E
PRE='export PIPENV_VENV_IN_PROJECT=1; pipenv lock; sed -i "s/^idna.*/idna = \"*\"\ntoolz = \"*\"/" Pipfile'
run <<'END'
pipenv --version
pipenv install --deploy --dev
pipenv run pytest
END
PRE=

new mkdocs-strict mkdocs
put mkdocs.yml <<'E'
site_name: Errors
nav: [index.md, errors.md]
E
many 14 docs/error@.md <<'E'
# Error @
See [the list](errors.md).
E
put docs/index.md <<'E'
# Start
Read about [failed builds](failed-builds.md).
E
put docs/errors.md <<'E'
# All errors
E
run <<'END'
mkdocs --version
mkdocs build --strict
END

new import-linter import-linter
put setup.cfg <<'E'
[importlinter]
root_package = ledger
[importlinter:contract:1]
name = Errors know nothing of the web
type = forbidden
source_modules = ledger.errors
forbidden_modules = ledger.web
[importlinter:contract:2]
name = Layers
type = layers
layers =
    ledger.web
    ledger.errors
E
put ledger/__init__.py <<'E'
E
put ledger/web.py <<'E'
def failed(): pass
E
put ledger/errors.py <<'E'
from ledger.web import failed
E
run <<'END'
PYTHONPATH=. lint-imports
END

new isort-check isort
many 25 app/m@.py <<'E'
import logging
import sys

error = logging.error
E
put app/late.py <<'E'
import sys
import logging
E
run <<'END'
ruff check --select E9 app
isort --check-only --diff app
END

new deptry deptry
put pyproject.toml <<'E'
[project]
name = "ledger"
version = "0.1.0"
dependencies = ["idna", "toolz"]
E
put ledger/__init__.py <<'E'
import idna
import yaml
E
run <<'END'
deptry .
END

new check-jsonschema check-jsonschema
put schema.json <<'E'
{ "type": "object", "required": ["name", "errors"], "properties": { "errors": { "type": "integer" }, "name": { "type": "string" } } }
E
many 9 conf/ok@.json <<'E'
{ "name": "failed@", "errors": @ }
E
put conf/prod.json <<'E'
{ "name": "prod", "errors": "none" }
E
run <<'END'
check-jsonschema --schemafile schema.json conf/ok1.json
check-jsonschema --schemafile schema.json conf/*.json
END

new gitlint gitlint
PRE='git init -q -b main; git commit -q --allow-empty -m "Handle a failed upload" -m "It ended the worker with an error."; git commit -q --allow-empty -m "wip: fix things that did not work when the network was down and the disk was full at the same time."'
run <<'END'
git log --oneline
gitlint --commits HEAD~1..HEAD
END
PRE=

new cython-build cython
put setup.py <<'E'
from setuptools import setup
from Cython.Build import cythonize
setup(name='fast', version='1.0', ext_modules=cythonize(['fast/ok.pyx', 'fast/sum.pyx']))
E
put fast/ok.pyx <<'E'
def error(int n): return n
E
put fast/sum.pyx <<'E'
def total(list xs):
    cdef int error = 0
    for x in xs:
        error += x
    cdef int n = len(xs)
    return error / m
E
run <<'END'
python -m pip --version
python setup.py build_ext --inplace
pytest
END

new twine-check twine
put pyproject.toml <<'E'
[project]
name = "ledger"
version = "0.1.0"
description = "Errors"
readme = "README.rst"
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[tool.setuptools]
py-modules = []
E
put README.rst <<'E'
Errors
===
.. code-block: python

    failed()

`Broken <
E
run <<'END'
python -m build --no-isolation
twine check --strict dist/*
END

new nbconvert-cell jupyter
put report.ipynb <<'E'
{ "cells": [ { "cell_type": "code", "id": "a", "metadata": {}, "execution_count": null, "outputs": [], "source": ["rows = [{'state': 'failed', 'n': 3}, {'state': 'error', 'n': None}]"] }, { "cell_type": "code", "id": "b", "metadata": {}, "execution_count": null, "outputs": [], "source": ["print('errors:', len(rows))\n", "total = sum(r['n'] for r in rows)"] } ], "metadata": { "kernelspec": { "name": "python3", "display_name": "Python 3", "language": "python" } }, "nbformat": 4, "nbformat_minor": 5 }
E
run <<'END'
jupyter nbconvert --version
jupyter nbconvert --to notebook --execute report.ipynb
END

new ansible-lint ansible-lint
put site.yml <<'E'
- name: Web servers
  hosts: all
  tasks:
    - name: Ignore a failed probe
      ansible.builtin.command: /bin/true
      changed_when: false
      failed_when: false
    - shell: echo error | tee /tmp/x
E
run <<'END'
ansible-lint --version --nocolor
ansible-lint --offline --nocolor site.yml
END

new pydantic-settings python
put app.py <<'E'
import logging
from pydantic import BaseModel
logging.basicConfig(level='INFO', format='%(asctime)s %(levelname)s %(name)s %(message)s')
log = logging.getLogger('boot')
class Settings(BaseModel):
    port: int
    dsn: str
    error_mail: str
for i in range(30): log.warning('error handler %d has no mail address', i)
s = Settings.model_validate({'port': 'http', 'error_mail': 'ops@example.com'})
E
run <<'END'
python app.py
END

new multiprocess-trace python
put convert.py <<'E'
from multiprocessing import Pool
def one(n):
    if n == 37: raise ValueError(f'picture {n}: width is 0')
    print(f'picture {n}: converted, 0 errors', flush=True)
    return n
if __name__ == '__main__':
    with Pool(2) as p: print(sum(p.map(one, range(60), chunksize=5)))
E
run <<'END'
python convert.py
END

new decode-error python
put imp.py <<'E'
import csv, sys, pathlib
for p in sorted(pathlib.Path('data').glob('*.csv')):
    with open(p, encoding='utf-8') as f: rows = list(csv.reader(f))
    print(f'{p}: {len(rows)} rows, 0 errors')
E
many 70 data/errors@.csv <<'E'
id,failed
@,no
E
[ -n "$SKIP" ] || printf 'id,name\n1,M\xfcller\n' > data/names.csv
run <<'END'
python -X dev imp.py
rm -rf data
END

new fastapi-tests pytest
put app/main.py <<'E'
from fastapi import FastAPI, HTTPException
app = FastAPI()
@app.get('/errors/{n}')
def error(n: int): raise HTTPException(500 + n % 4, 'failed')
@app.get('/users/{n}')
def user(n: int) -> dict[str, int]: return {'id': n, 'name': 'ada'}
E
put tests/test_main.py <<'E'
import logging, pytest
from fastapi.testclient import TestClient
from app.main import app
c = TestClient(app)
@pytest.mark.parametrize('n', range(200))
def test_error(n): assert c.get(f'/errors/{n}').status_code >= 500
def test_user(): assert c.get('/users/3').json() == {'id': 3}
E
run <<'END'
ruff check app tests
PYTHONPATH=. pytest -v -o log_cli=true -o log_cli_level=INFO tests
END

new mypy-after-install mypy
put pyproject.toml <<'E'
[project]
name = "ledger"
version = "0.1.0"
dependencies = ["idna", "toolz", "click", "attrs", "sqlparse", "packaging"]
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[tool.setuptools]
packages = ["ledger"]
E
many 70 ledger/error@.py <<'E'
def failed@(error: str | None) -> str:
    return error or "failed"
E
put ledger/__init__.py <<'E'
E
put ledger/post.py <<'E'
from ledger.error4 import failed4
def post(amount: int, memo: str | None = None) -> int:
    failed4(memo)
    return amount + len(memo)
E
run <<'END'
python -m venv /tmp/ve-ledger
/tmp/ve-ledger/bin/pip install -v --no-build-isolation --no-deps idna toolz
mypy --strict ledger
pytest
END

new okz-jinja pytest
tarball $CHAINS/src/py/jinja2-3.1.6.tar.gz
run <<'END'
PYTHONPATH=src python -m pytest -v -W default tests/test_debug.py tests/test_security.py tests/test_runtime.py tests/test_regression.py tests/test_utils.py
END

new okz-mypy-notes mypy
many 30 app/e@.py <<'E'
import logging
def failed@(error):
    logging.error("failed")
    x: int = error
    return x
E
run <<'END'
mypy --show-error-context app
bandit -r app --exit-zero
ruff check --select ALL --exit-zero app
END

new okz-asyncio-noise python
put sync.py <<'E'
import asyncio, logging
logging.basicConfig(level='DEBUG')
async def bad(i): raise ConnectionResetError(f'peer {i} closed the connection')
async def main():
    for i in range(25): asyncio.ensure_future(bad(i))
    await asyncio.sleep(0.05)
    print('synchronised 25 peers, 25 errors were tolerated')
asyncio.run(main())
E
run <<'END'
python sync.py
END
