#!/usr/bin/env bash
# What the recordings beside it need, as root: tools, two Python environments, a Postgres and a Docker daemon of their own under /tmp/exam.
set -u
mkdir -p /tmp/exam/docker /tmp/exam/pg
apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends clang busybox-static gradle bats libgtest-dev clang-format shellcheck \
  jq unzip zip rsync openssh-client openssh-server docker-compose chromium postgresql
python3 -m venv /opt/venv && /opt/venv/bin/pip install -q uv
/opt/venv/bin/uv pip install -q --python /opt/venv/bin/python pytest pytest-xdist pytest-asyncio pytest-mock pytest-timeout pytest-rerunfailures syrupy mypy ruff \
  flake8 black isort pylint bandit django flask alembic requests httpx fastapi faker hypothesis numpy pandas tox build coverage vulture gunicorn
/opt/venv/bin/uv venv -q --python 3.12 /opt/pt && /opt/venv/bin/uv pip install -q --python /opt/pt/bin/python pytest pytest-xdist pytest-cov pytest-mock
chown nobody /tmp/exam/pg && setpriv --reuid=nobody initdb -A trust -U postgres -D /tmp/exam/pg
setpriv --reuid=nobody pg_ctl -D /tmp/exam/pg -o '-p 54329 -k /tmp' -l /tmp/exam/pg/log -w start
cd /tmp/exam/docker && dockerd -H unix:///tmp/exam/docker/d.sock --data-root "$PWD/data" --exec-root "$PWD/exec" -p "$PWD/pid" --iptables=false --bridge=none \
  --storage-driver=vfs > log 2>&1 &
