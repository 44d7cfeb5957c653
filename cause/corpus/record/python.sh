#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"
export PATH=/tmp/c/venv/bin:$PATH

new py-traceback python
cat > settings.py <<'E'
import json
def load(path):
    with open(path) as f:
        return json.load(f)
E
cat > main.py <<'E'
import logging, settings
logging.basicConfig(level=logging.INFO)
for i in range(30): logging.warning('could not read error page %d, using default', i)
cfg = settings.load('config.json')
print(cfg)
E
echo '{"debug": true, "hosts": ["a" "b"]}' > config.json
run <<'END'
python --version
python main.py
END

new py-chained python
cat > sync.py <<'E'
class SyncError(Exception): pass
def fetch(k): return {'a': 1}[k]
def sync(k):
    try: return fetch(k)
    except KeyError as e: raise SyncError(f'no remote entry for {k!r}') from e
for k in ['a', 'a', 'b']: print('synced', k, sync(k))
E
run <<'END'
python sync.py
END

new py-import python
mkdir app; echo 'from .store import Store' > app/__init__.py; echo 'import psycopg_nope' > app/store.py
run <<'END'
python -m compileall -q app
python -c "import app"
END

new py-syntax python
printf 'def a():\n    return 1\n\ndef b(x):\n    if x == 1\n        return 2\n' > util.py
run <<'END'
python -m compileall .
END

new pytest-assert pytest
mkdir tests; cat > tests/test_cart.py <<'E'
import pytest
def total(items): return sum(p * n for p, n in items)
@pytest.mark.parametrize('n', range(60))
def test_error_codes(n): assert n >= 0
def test_total(): assert total([(3, 2), (4, 1)]) == 10
def test_discount():
    items = [(100, 2), (50, 1)]
    assert total(items) * 0.9 == 226
E
run <<'END'
pytest
END

new pytest-verbose-xdist pytest
mkdir tests; for m in a b c d; do cat > tests/test_$m.py <<E
import logging, pytest
@pytest.mark.parametrize('n', range(400))
def test_case_$m(n):
    logging.error('ERROR: request %d failed', n)
    if '$m' == 'c' and n == 213:
        assert {'id': n, 'state': 'failed'} == {'id': n, 'state': 'done'}
E
done
run <<'END'
pytest -v -n 2
END

new pytest-fixture pytest
cat > conftest.py <<'E'
import pytest, socket
@pytest.fixture(scope='session')
def db():
    s = socket.create_connection(('127.0.0.1', 1), timeout=1)
    yield s
E
cat > test_db.py <<'E'
import pytest
@pytest.mark.parametrize('n', range(6))
def test_row(db, n): assert n
def test_pure(): assert True
E
run <<'END'
pytest --color=yes
END

new pytest-collection pytest
mkdir tests; echo 'from shop.prices import cents
def test_a(): assert cents("1") == 100' > tests/test_prices.py; for i in 1 2 3 4 5; do echo 'def test_a(): pass' > tests/test_ok$i.py; done
run <<'END'
pytest -q
END

new pytest-tb-short-logs pytest
cat > test_worker.py <<'E'
import logging
log = logging.getLogger('worker')
class Worker:
    def __init__(self): self.done = []
    def run(self, jobs):
        for j in jobs:
            try:
                if j % 7 == 0: raise TimeoutError(f'job {j} timed out')
                self.done.append(j)
            except TimeoutError:
                log.exception('job %s failed, retrying', j)
        return self.done
def test_retries(): 
    w = Worker(); w.run(range(1, 50))
    assert len(w.done) == 49, 'all jobs end after their retries'
E
run <<'END'
pytest --tb=short -rf
END

new unittest-fail unittest
cat > test_geo.py <<'E'
import unittest
class Geo(unittest.TestCase):
    def test_error(self): self.assertRaises(ValueError, int, 'x')
    def test_distance(self): self.assertAlmostEqual(0.1 + 0.2, 0.31)
    def test_parse(self): self.assertEqual({'lat': 1.5, 'lon': 2.5}, {'lat': 1.5, 'lon': 2.6})
for i in range(50): setattr(Geo, f'test_case_{i}', lambda self: None)
E
run <<'END'
python -m unittest -v
END

new mypy mypy
mkdir app; cat > app/main.py <<'E'
from typing import Optional
def find(name: str) -> Optional[int]: return None
def double(n: int) -> int: return n * 2
print(double(find("a")))
x: str = 3
E
run <<'END'
mypy --strict app
END

new ruff ruff
mkdir app; printf 'import os\nimport sys\n\ndef f(x):\n    if x == None:\n        return lambda_\n' > app/a.py
run <<'END'
ruff --version
ruff check app
END

new flake8 flake8
mkdir app; for i in 1 2 3; do printf 'x = 1\n' > app/ok$i.py; done; printf 'import os\ndef f( x ):\n    return y\n' > app/bad.py
run <<'END'
flake8 app
END

new black black
mkdir app; for i in $(seq 1 5); do printf 'x = 1\n' > app/ok$i.py; done; printf "def f( x ):\n  return 'a'\n" > app/bad.py
run <<'END'
black --check --diff app
END

new pylint pylint
mkdir app; touch app/__init__.py; printf '"""Doc."""\nimport os\n\n\ndef area(radius):\n    """Area."""\n    return PI * radius ** 2\n' > app/geo.py
run <<'END'
pylint app
END

new pip-no-version pip
printf 'requests==2.31.0\nsix==1.16.0\nurllib3==99.0.1\n' > requirements.txt
run <<'END'
python -m pip install --target /tmp/t -r requirements.txt
pytest
END

new pip-conflict pip
printf 'requests==2.31.0\nurllib3==1.20\n' > requirements.txt
run <<'END'
python -m pip install --target /tmp/t -r requirements.txt
END

new pip-build-fails pip
mkdir -p native; cat > native/setup.py <<'E'
from setuptools import setup, Extension
setup(name='native', version='1.0', ext_modules=[Extension('native', ['native.c'])])
E
printf '#include <Python.h>\n#include <nope/fast.h>\nint x;\n' > native/native.c
run <<'END'
python -m venv /tmp/ve2
/tmp/ve2/bin/pip install setuptools wheel
/tmp/ve2/bin/pip install --no-build-isolation ./native
END

new tox tox
cat > tox.ini <<'E'
[tox]
envlist = py311
skipsdist = true
[testenv]
deps = six==1.16.0
commands = python -c "print('0 errors')"
    python test_it.py
E
printf 'import six\nfor i in range(10): print("checking error", i)\nassert six.PY2, "runs on Python 2 only"\n' > test_it.py
run <<'END'
tox
END

new django-manage python
PRE='django-admin startproject shop . && python manage.py startapp cart && printf "from django.db import models\nclass Cart(models.Model):\n    owner = models.ForeignKey(\"people.Person\", on_delete=models.CASCADE)\n" > cart/models.py && sed -i "s/INSTALLED_APPS = \[/INSTALLED_APPS = [\"cart\",/" shop/settings.py'
run <<'END'
python manage.py makemigrations --check
python manage.py test
END

new ok-django-no-tests python
PRE='django-admin startproject shop . && python manage.py startapp cart && printf "from django.test import TestCase\nclass T(TestCase):\n    def test_home(self):\n        r = self.client.get(\"/cart/\")\n        self.assertEqual(r.status_code, 200)\n    def test_admin(self):\n        self.assertEqual(self.client.get(\"/admin/login/\").status_code, 200)\n" > cart/tests.py'
run <<'END'
python manage.py migrate
python manage.py test -v 2
END
PRE=

new asyncio-pytest pytest
cat > test_async.py <<'E'
import asyncio, pytest
async def worker(q):
    while True:
        n = await q.get()
        if n == 3: raise ConnectionResetError('peer closed the connection')
        q.task_done()
@pytest.mark.asyncio
async def test_drain():
    q = asyncio.Queue()
    t = asyncio.create_task(worker(q))
    for i in range(10): q.put_nowait(i)
    await asyncio.wait_for(q.join(), 0.3)
    t.cancel()
E
run <<'END'
pytest -q
END

new yamllint yamllint
printf 'kind: pipeline\nsteps:\n  - name: a\n    image: x\n   commands: [a]\n' > .drone.yml
run <<'END'
yamllint .
yamllint -d relaxed .drone.yml
END
