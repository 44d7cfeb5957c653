PART=sealed; . "$(dirname "$0")/lib.sh"
export PATH=/opt/pt/bin:$PATH

new acorn-pytest-setup-error pytest
put conftest.py <<'E'
import socket, pytest
@pytest.fixture(scope="session")
def broker():
    s = socket.create_connection(("127.0.0.1", 45672), timeout=2)
    yield s
    s.close()
E
put tests/test_queue.py <<'E'
import pytest
@pytest.mark.parametrize("n", range(8))
def test_encode(n): assert bytes([n])
def test_publish(broker): broker.send(b"x")
def test_consume(broker): broker.recv(1)
E
run <<'E'
pytest -q --no-header
E

new badger-pytest-strict-marker pytest
put pytest.ini <<'E'
[pytest]
addopts = --strict-markers -ra
markers =
    slow: takes more than a second
E
put tests/test_a.py <<'E'
import pytest
@pytest.mark.slow
def test_error_path(): assert True
E
put tests/test_b.py <<'E'
import pytest
@pytest.mark.integraton
def test_upload(): assert True
E
run <<'E'
pytest -m "not slow"
E

new cricket-pytest-usage pytest
put setup.cfg <<'E'
[tool:pytest]
addopts = --cov-report=xml --reruns 2 -v
E
put test_bat.py <<'E'
def test_runs(): assert 4 + 2 == 6
E
run <<'E'
pip --version
pytest
E

new dolphin-pytest-warning-error pytest
put pyproject.toml <<'E'
[tool.pytest.ini_options]
filterwarnings = ["error", "ignore::UserWarning"]
E
put sonar.py <<'E'
import datetime, warnings
def stamp():
    warnings.warn("sonar is deprecated but ignored", UserWarning)
    return datetime.datetime.utcfromtimestamp(0).isoformat()
def ping(n): return [i * 2 for i in range(n)]
E
put test_sonar.py <<'E'
import sonar
def test_ping(): assert sonar.ping(2) == [0, 2]
def test_stamp(): assert sonar.stamp() == "1970-01-01T00:00:00"
E
run <<'E'
python --version
pytest --color=yes test_sonar.py
E

new egret-pytest-list-diff pytest
put inventory.py <<'E'
import csv, io, logging
log = logging.getLogger("inventory")
def load(text):
    rows = []
    for r in csv.DictReader(io.StringIO(text)):
        if not r["qty"].strip().isdigit():
            log.error("row skipped: %s", r); continue
        rows.append({"sku": r["sku"].strip(), "qty": int(r["qty"]), "tags": sorted(r["tags"].split("|"))})
    return rows
E
put tests/test_load.py <<'E'
from inventory import load
TEXT = "sku,qty,tags\nA1,3,b|a\nB2,x,c\nC3, 7,\n"
def test_skips_errors(): assert [r["sku"] for r in load(TEXT)] == ["A1", "C3"]
def test_load():
    assert load(TEXT) == [
        {"sku": "A1", "qty": 3, "tags": ["a", "b"]},
        {"sku": "C3", "qty": 7, "tags": []},
    ]
E
run <<'E'
PYTHONPATH=. pytest -vv --tb=long
E

new finch-pytest-did-not-raise pytest
put billing.py <<'E'
class CardError(Exception): pass
def charge(card, cents):
    if card.get("expired"): raise CardError("card has expired")
    if cents < 0: return None
    return {"cents": cents}
E
put test_billing.py <<'E'
import pytest
from billing import CardError, charge
def test_expired():
    with pytest.raises(CardError, match="expired"): charge({"expired": True}, 5)
def test_negative_amount():
    with pytest.raises(CardError):
        charge({}, -100)
def test_charge(): assert charge({}, 5)["cents"] == 5
def test_called(mocker):
    hook = mocker.Mock(); hook(charge({}, 7)); hook.assert_called_once_with({"cents": 7, "currency": "EUR"})
E
run <<'E'
pytest --tb=short -q -rN
E

new gecko-django-queries django
put manage.py <<'E'
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gecko.settings")
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
E
put gecko/__init__.py <<'E'
E
put gecko/settings.py <<'E'
SECRET_KEY = "test"
INSTALLED_APPS = ["shop"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
E
put shop/__init__.py <<'E'
E
put shop/migrations/__init__.py <<'E'
E
put shop/models.py <<'E'
from django.db import models
class Author(models.Model): name = models.CharField(max_length=50)
class Book(models.Model):
    title = models.CharField(max_length=50)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
E
put shop/tests.py <<'E'
import logging
from django.test import TestCase
from .models import Author, Book
class BookTest(TestCase):
    def setUp(self):
        for n in "ABC": Book.objects.create(title=n, author=Author.objects.create(name="author " + n))
    def test_titles(self): self.assertEqual(Book.objects.count(), 3)
    def test_list_is_one_query(self):
        logging.getLogger("shop").error("Error budget used: 0%")
        with self.assertNumQueries(1):
            print([f"{b.title} by {b.author.name}" for b in Book.objects.all()])
E
run <<'E'
/opt/venv/bin/python manage.py makemigrations shop
/opt/venv/bin/python manage.py test --verbosity 2
E

new heron-django-static django
put manage.py <<'E'
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
E
put assets/heron.css <<'E'
.error { color: red }
E
put settings.py <<'E'
import os
SECRET_KEY = os.environ.get("SECRET_KEY", "insecure")
INSTALLED_APPS = ["django.contrib.staticfiles"]
STATIC_URL = "/static/"
STATICFILES_DIRS = ["assets"]
STATIC_ROOT = os.environ.get("STATIC_ROOT")
E
run <<'E'
/opt/venv/bin/python manage.py check --deploy --fail-level ERROR
/opt/venv/bin/python manage.py collectstatic --noinput
E

new ibex-fastapi-422 pytest
put app.py <<'E'
from fastapi import FastAPI
from pydantic import BaseModel, Field
app = FastAPI()
class Hike(BaseModel):
    name: str = Field(min_length=3)
    metres: int = Field(gt=0)
@app.post("/hikes", status_code=201)
def create(h: Hike): return h
@app.get("/error")
def error(): return {"error": "none"}
E
put test_app.py <<'E'
from fastapi.testclient import TestClient
from app import app
c = TestClient(app)
def test_error(): assert c.get("/error").json() == {"error": "none"}
def test_create():
    r = c.post("/hikes", json={"name": "Alp", "meters": 1200})
    assert r.status_code == 201, r.text
E
run <<'E'
/opt/venv/bin/python -m pytest -q -p no:randomly -p no:asyncio -p no:cacheprovider
E

new jackal-mypy-stubs mypy
put mypy.ini <<'E'
[mypy]
python_version = 3.11
pretty = True
show_error_codes = True
E
put jackal/__init__.py <<'E'
E
put jackal/conf.py <<'E'
import yaml
def load(path: str) -> dict[str, str]:
    with open(path) as f:
        return dict(yaml.safe_load(f))
E
put jackal/run.py <<'E'
from jackal.conf import load
def main() -> int:
    print(load("a.yml"))
    return 0
E
run <<'E'
/opt/venv/bin/flake8 --extend-ignore E302,E305 jackal
/opt/venv/bin/mypy jackal
E

new koala-ruff-github ruff
put koala/__init__.py <<'E'
E
put koala/tree.py <<'E'
import os
def leaves(n=[]):
    try:
        return len(n)
    except:
        return eror
E
run <<'E'
/opt/venv/bin/ruff --version
/opt/venv/bin/ruff check --output-format=github --select E,F,B koala
E

new lynx-ruff-format-check ruff
put lynx/a.py <<'E'
ERRORS = {
    "not-found": 404,
}
E
put lynx/b.py <<'E'
def f(a,b): return {'a':a, 'b':b}
E
run <<'E'
/opt/venv/bin/ruff check lynx
/opt/venv/bin/ruff format --check lynx
E

new marmot-pylint-score pylint
put marmot.py <<'E'
"""Burrows."""
import sys


def dig(depth, unused):
    """Digs."""
    if depth > 3:
        return "error: too deep"
    else:
        return depth


print(dig(1, 2), sys.argv.lenght)
E
run <<'E'
/opt/venv/bin/python -m compileall -q marmot.py
/opt/venv/bin/pylint --fail-under=9 marmot.py
E

new narwhal-pip-requirements-missing pip
put Makefile <<'E'
VENV := .venv
install: $(VENV)/bin/python
	$(VENV)/bin/pip install -q -r requirements/base.txt -r requirements/ci.txt
	$(VENV)/bin/pip check
$(VENV)/bin/python:
	python3 -m venv $(VENV)
E
put requirements/base.txt <<'E'
idna==3.7
E
run <<'E'
make install
E

new ocelot-mysqlclient-build pip
put requirements.txt <<'E'
six==1.16.0
mysqlclient==2.2.4
E
run <<'E'
/opt/venv/bin/python -m venv env
env/bin/pip install --no-binary mysqlclient --progress-bar off -r requirements.txt
E

new panther-externally-managed pip
run <<'E'
/usr/bin/python3 --version
/usr/bin/python3 -m venv --help | head -3
PATH=/usr/bin:/bin /usr/bin/python3 -m pip install requests==2.32.3 || PATH=/usr/bin:/bin pip3 install requests==2.32.3
E

new quokka-tox-interpreter tox
put tox.ini <<'E'
[tox]
env_list = lint, py39
skip_missing_interpreters = false
no_package = true
[testenv]
commands = python -c "print('tests: 0 errors')"
[testenv:lint]
skip_install = true
commands = python -m compileall -q .
[testenv:py39]
base_python = python3.99
E
run <<'E'
/opt/venv/bin/tox run
E

new raccoon-uv-unsatisfiable uv
put pyproject.toml <<'E'
[project]
name = "raccoon"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["django>=5.1", "djangorestframework==3.15.2", "asgiref<3.7"]
E
run <<'E'
/opt/venv/bin/uv --version
/opt/venv/bin/uv lock
/opt/venv/bin/uv sync --locked
E

new seal-requests-refused python
put smoke.py <<'E'
import logging, requests
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
for path in ("/health", "/version"):
    logging.info("GET %s", path)
    r = requests.get("http://127.0.0.1:45123" + path, timeout=2)
    r.raise_for_status()
E
run <<'E'
/opt/venv/bin/python smoke.py
E

new toucan-module-own python
put src/toucan/__init__.py <<'E'
VERSION = "1.4"
E
put src/toucan/cli.py <<'E'
from toucan import VERSION
from toucan.commands.report import report
def main(): print(VERSION, report())
E
put src/toucan/command/report.py <<'E'
def report(): return "0 errors"
E
run <<'E'
export PYTHONPATH=src
python -c "import toucan; print(toucan.VERSION)"
python -c "from toucan.cli import main; main()"
E

new urchin-unicode-decode python
put convert.py <<'E'
import pathlib, sys
total = 0
for p in sorted(pathlib.Path("in").glob("*.csv")):
    print("reading", p)
    total += len(p.read_text(encoding="utf-8").splitlines())
print("lines:", total)
E
many 6 in/part@.csv <<'E'
id;error
@;none
E
[ -n "$SKIP" ] || printf 'id;name\n7;M\374ller\n' > in/part4.csv
run <<'E'
ls in
python -u convert.py
E

new viper-gunicorn-boot gunicorn
put wsgi.py <<'E'
import os
from flask import Flask
app = Flask(__name__)
app.config["REDIS"] = os.environ["REDIS_URL"]
@app.get("/healthz")
def healthz(): return "ok"
E
put start.sh <<'E'
gunicorn --workers 1 --bind 127.0.0.1:45881 wsgi:app &
pid=$!
for i in $(seq 1 20); do
  curl -fs http://127.0.0.1:45881/healthz && { kill $pid; exit 0; }
  kill -0 $pid 2>/dev/null || { echo "gunicorn is gone"; exit 1; }
  sleep 0.5
done
kill $pid
echo "no answer after 10 s" && exit 1
E
run <<'E'
export PATH=/opt/venv/bin:$PATH FLASK_ENV=test
bash start.sh
E

new wombat-coverage-combine coverage
put wombat.py <<'E'
def dig(): return 1
E
put test_wombat.py <<'E'
from wombat import dig
def test_dig(): assert dig() == 1
E
run <<'E'
coverage run -m pytest -q --no-header
rm -f .coverage
coverage combine
coverage report
E

new xenops-doctest-cli doctest
put units.py <<'E'
"""Conversions.

>>> miles(10)
6.21
>>> feet(3)
9.84
"""
def miles(km): return round(km * 0.62137, 2)
def feet(m):
    """
    >>> feet(0)
    0.0
    >>> feet(1)
    3.28
    """
    return round(m * 3.2808, 1)
E
run <<'E'
python -m doctest -o NORMALIZE_WHITESPACE units.py && echo doctests passed
E

new zebra-build-invalid build
put pyproject.toml <<'E'
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "zebra"
version = "1.0"
license = "MIT"
requires-python = ">=3.9"
dependencies = ["requests>=2", "urllib3 =>1.26"]
E
put zebra.py <<'E'
E
run <<'E'
/opt/venv/bin/python -m build --sdist
E

new alpaca-pandas-parse python
put rows.csv <<'E'
day,region,errors
1,north,0
2,south,4
3,east,coast,1
E
put report.py <<'E'
import warnings
import pandas as pd
warnings.warn("report.py: the errors column will be renamed", FutureWarning)
df = pd.read_csv("rows.csv")
print(df.groupby("region").sum())
E
run <<'E'
/opt/venv/bin/python report.py
E

new bison-unittest-setupclass unittest
put test_archive.py <<'E'
import tarfile, unittest, warnings
class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.tar = tarfile.open("fixtures/archive.tgz")
    def test_names(self): self.assertIn("a.txt", self.tar.getnames())
    def test_errors(self): self.assertEqual(self.tar.errors, "surrogateescape")
class Plain(unittest.TestCase):
    def test_plain(self): warnings.warn("error ahead (just a warning)", DeprecationWarning)
E
run <<'E'
python -m unittest -v
E

new coyote-pip-licenses pip-licenses
run <<'E'
/opt/venv/bin/python -m venv env
env/bin/pip install -q unidecode==1.3.8 idna==3.7 pip-licenses==5.0.0
env/bin/pip-licenses --format=markdown
env/bin/pip-licenses --packages unidecode idna --fail-on "GNU General Public License v2 or later (GPLv2+)"
E

new dingo-alembic-behind alembic
put alembic.ini <<'E'
[alembic]
script_location = migrations
E
put migrations/env.py <<'E'
from alembic import context
from sqlalchemy import create_engine, MetaData
with create_engine("sqlite:///dingo.db").connect() as c:
    context.configure(connection=c, target_metadata=MetaData())
    with context.begin_transaction(): context.run_migrations()
E
put migrations/script.py.mako <<'E'
revision = ${repr(up_revision)}
E
put migrations/versions/1.py <<'E'
import sqlalchemy as sa
from alembic import op
revision, down_revision = "a1", None
def upgrade(): op.create_table("packs", sa.Column("id", sa.Integer))
E
put migrations/versions/2.py <<'E'
from alembic import op
revision, down_revision = "b2", "a1"
def upgrade(): op.execute("alter table pack add column error text")
E
run <<'E'
/opt/venv/bin/alembic history
/opt/venv/bin/alembic upgrade a1
/opt/venv/bin/alembic revision --autogenerate -m check
E

new emu-sys-exit-message python
put release_notes.py <<'E'
import re, sys
text = open("CHANGELOG.md").read()
version = sys.argv[1]
print(f"looking for {version} in {len(text.splitlines())} lines")
found = re.search(rf"^## {re.escape(version)}$", text, re.M)
if not found:
    sys.exit(f"CHANGELOG.md has no section for {version}")
print("ok")
E
put CHANGELOG.md <<'E'
## 1.2.0
Fixed: error on start, error on exit.
E
run <<'E'
python release_notes.py 1.2.0
python release_notes.py 1.3.0
E
