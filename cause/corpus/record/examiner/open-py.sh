. "$(dirname "$0")/lib.sh"

new weather-pytest-quiet pytest
put requirements.txt <<'E'
requests==2.32.3
E
put weather/__init__.py <<'E'
E
put weather/parse.py <<'E'
import logging
log = logging.getLogger(__name__)
def celsius(raw):
    if raw in ("", "M"):
        log.error("ERROR reading sensor: no value")
        return None
    return round((float(raw) - 32) / 1.8, 1)
def hottest(rows):
    return max(rows, key=lambda r: celsius(r["f"]))["station"]
E
put tests/test_parse.py <<'E'
import pytest
from weather.parse import celsius, hottest
@pytest.mark.parametrize("raw,expected", [("32", 0.0), ("212", 100.0), ("M", None), ("", None), ("50", 10.0)])
def test_celsius(raw, expected):
    assert celsius(raw) == expected
def test_hottest():
    assert hottest([{"station": "north", "f": "70"}, {"station": "south", "f": "71.5"}]) == "south"
def test_hottest_skips_missing():
    assert hottest([{"station": "north", "f": "70"}, {"station": "east", "f": "M"}]) == "north"
E
run <<'E'
python -m venv .venv
.venv/bin/pip install -q -r requirements.txt
PYTHONPATH=. pytest -q -p no:randomly -p no:cacheprovider
E

new invoice-pytest-xdist-junit pytest
put tests/test_numbers.py <<'E'
import pytest
from decimal import Decimal
def vat(net): return (net * Decimal("0.19")).quantize(Decimal("0.01"))
@pytest.mark.parametrize("n", range(60))
def test_number(n): assert n >= 0
def test_vat_rounds_up(): assert vat(Decimal("10.50")) == Decimal("2.00")
def test_vat_half(): assert vat(Decimal("0.50")) == Decimal("0.10")
def test_vat_half_up():
    gross = Decimal("1.50") + vat(Decimal("1.50"))
    assert gross == Decimal("1.79"), f"gross of 1.50 is {gross}"
E
run <<'E'
ruff check --select E9,F tests
/opt/pt/bin/pytest -n 2 --tb=short --junitxml=report.xml
E

new choir-unittest-buffer unittest
put choir/__init__.py <<'E'
E
put choir/voices.py <<'E'
import json, sys
def assign(singers):
    voices = {"soprano": [], "alto": [], "tenor": [], "bass": []}
    for s in singers:
        print("assigning", s["name"], file=sys.stderr)
        voices[s["voice"]].append(s["name"])
    return voices
def load(path):
    with open(path) as f:
        return json.load(f)
E
put tests/__init__.py <<'E'
E
put tests/test_voices.py <<'E'
import unittest
from choir.voices import assign, load
class VoicesTest(unittest.TestCase):
    def test_assigns_each(self):
        self.assertEqual(assign([{"name": "Ida", "voice": "alto"}])["alto"], ["Ida"])
    def test_unknown_voice_is_left_out(self):
        self.assertEqual(assign([{"name": "Ole", "voice": "baritone"}])["bass"], [])
    def test_empty(self):
        self.assertEqual(sum(map(len, assign([]).values())), 0)
class LoadTest(unittest.TestCase):
    @unittest.skip("needs the archive")
    def test_archive(self): load("/archive.json")
    @unittest.expectedFailure
    def test_broken_file(self): load("/nonexistent.json")
E
run <<'E'
python -W error::SyntaxWarning -m compileall -q choir tests
python -m unittest discover -b -v -s tests -t .
E

new stamp-mypy-after-ruff mypy
put pyproject.toml <<'E'
[tool.mypy]
strict = true
[tool.ruff.lint]
select = ["E", "F", "UP"]
E
put stamp/__init__.py <<'E'
E
put stamp/store.py <<'E'
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Stamp:
    country: str
    year: int
    error_print: bool = False
def find(stamps: list[Stamp], country: str) -> Stamp | None:
    return next((s for s in stamps if s.country == country), None)
E
put stamp/price.py <<'E'
from stamp.store import Stamp, find
def price(stamps: list[Stamp], country: str) -> float:
    stamp = find(stamps, country)
    return 1900.0 / stamp.year * (100 if stamp.error_print else 1)
E
run <<'E'
ruff check .
ruff format --diff . || true
mypy stamp
echo types are fine
E

new tides-pip-conflict pip
put requirements.txt <<'E'
flask==3.0.3
werkzeug==2.3.8
gunicorn==22.0.0
E
run <<'E'
python3 -m venv env
env/bin/pip install --progress-bar off -r requirements.txt
env/bin/gunicorn --check-config tides:app
E

new courier-django-constraint django
put manage.py <<'E'
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courier.settings")
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
E
put courier/__init__.py <<'E'
E
put courier/settings.py <<'E'
SECRET_KEY = "test"
INSTALLED_APPS = ["parcels"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
E
put parcels/__init__.py <<'E'
E
put parcels/models.py <<'E'
from django.db import models
class Parcel(models.Model):
    code = models.CharField(max_length=12, unique=True)
    weight = models.IntegerField()
E
put parcels/migrations/__init__.py <<'E'
E
put parcels/migrations/0001_initial.py <<'E'
from django.db import migrations, models
class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [migrations.CreateModel(name="Parcel", fields=[("id", models.BigAutoField(primary_key=True)), ("code", models.CharField(max_length=12)), ("weight", models.IntegerField(null=True))])]
E
put parcels/migrations/0002_seed.py <<'E'
from django.db import migrations
def seed(apps, _):
    Parcel = apps.get_model("parcels", "Parcel")
    for code, w in (("A1", 10), ("B2", None), ("B2", 30)):
        Parcel.objects.create(code=code, weight=w)
class Migration(migrations.Migration):
    dependencies = [("parcels", "0001_initial")]
    operations = [migrations.RunPython(seed, migrations.RunPython.noop)]
E
put parcels/migrations/0003_unique_code.py <<'E'
from django.db import migrations, models
class Migration(migrations.Migration):
    dependencies = [("parcels", "0002_seed")]
    operations = [migrations.AlterField("parcel", "code", models.CharField(max_length=12, unique=True)), migrations.AlterField("parcel", "weight", models.IntegerField())]
E
run <<'E'
python manage.py check
python manage.py migrate --no-color
python manage.py test
E

new garden-coverage-report coverage
put garden/__init__.py <<'E'
def water(litres):
    if litres < 0:
        raise ValueError("negative")
    return litres * 2
def rake(beds):
    total = 0
    for b in beds:
        if b > 3:
            total += b
        else:
            total -= 1
    return total
E
put test_garden.py <<'E'
from garden import water
def test_water(): assert water(2) == 4
E
run <<'E'
coverage run --branch --source=garden -m pytest -q -p no:randomly
coverage xml -q
coverage report -m --fail-under=90
E

new depot-import-version python
put requirements.txt <<'E'
flask==1.1.4
markupsafe==2.1.5
E
put depot/app.py <<'E'
from flask import Flask
app = Flask(__name__)
@app.get("/")
def index(): return "ok"
E
run <<'E'
python3 -m venv env
env/bin/pip install --progress-bar off -q -r requirements.txt
env/bin/pip list --format=freeze
env/bin/python -c "from depot.app import app; print(app.test_client().get('/').data)"
E

new beehive-async-timeout pytest
put pyproject.toml <<'E'
[tool.pytest.ini_options]
asyncio_mode = "auto"
timeout = 3
log_cli = true
log_cli_level = "INFO"
E
put test_hive.py <<'E'
import asyncio, logging
log = logging.getLogger("hive")
class Hive:
    def __init__(self): self.queue = asyncio.Queue(2)
    async def deliver(self, n):
        for i in range(n):
            log.info("drop %d", i)
            await self.queue.put(i)
async def test_small():
    h = Hive(); await h.deliver(2); assert h.queue.qsize() == 2
async def test_refuses_bad_drop():
    log.error("could not store drop: ERROR 28 (expected in this test)")
async def test_many():
    h = Hive(); await h.deliver(5); assert h.queue.qsize() == 5
E
run <<'E'
pytest -p no:randomly -v test_hive.py
E

new trail-alembic-check alembic
put alembic.ini <<'E'
[alembic]
script_location = migrations
sqlalchemy.url = sqlite:///trail.db
E
put models.py <<'E'
from sqlalchemy import Column, Integer, MetaData, String, Table
meta = MetaData()
Table("trails", meta, Column("id", Integer, primary_key=True), Column("name", String(80), nullable=False), Column("metres", Integer))
E
put migrations/env.py <<'E'
import sys; sys.path.insert(0, ".")
import logging; logging.basicConfig(level=logging.INFO, format="%(levelname)-5.5s [%(name)s] %(message)s")
from alembic import context
from sqlalchemy import create_engine
from models import meta
with create_engine("sqlite:///trail.db").connect() as c:
    context.configure(connection=c, target_metadata=meta)
    with context.begin_transaction(): context.run_migrations()
E
put migrations/versions/0001_trails.py <<'E'
import sqlalchemy as sa
from alembic import op
revision, down_revision = "0001", None
def upgrade(): op.create_table("trails", sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.String(80), nullable=False))
def downgrade(): op.drop_table("trails")
E
run <<'E'
alembic upgrade head
alembic current
alembic check
E

new puzzle-bandit bandit
put puzzle/__init__.py <<'E'
import subprocess


def solve(name):
    return subprocess.check_output("solver " + name, shell=True)


def seed():
    try:
        return open("/etc/seed").read()
    except Exception:
        pass
E
run <<'E'
flake8 --max-line-length 100 puzzle
isort --check --diff puzzle
bandit -q -r puzzle --severity-level high
E

new drone-numpy-script python
put requirements.in <<'E'
numpy
E
put calibrate.py <<'E'
import argparse, logging, sys
import numpy as np
logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
def fit(samples):
    a = np.array(samples, dtype=float)
    logging.warning("error margin is %.3f, continuing", a.std())
    return a @ np.ones((4, 1))
p = argparse.ArgumentParser(); p.add_argument("--rounds", type=int, default=3)
for i in range(p.parse_args().rounds):
    logging.info("round %d", i)
    print(fit([[1, 2, 3, 4]] if i < 2 else [[1, 2, 3]]))
E
run <<'E'
python calibrate.py --rounds 2
python calibrate.py
E
