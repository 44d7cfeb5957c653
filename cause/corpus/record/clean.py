"""What of a recording names this machine or a registry gets a neutral name; nothing else is changed."""
import re, sys

raw, out, project, script = sys.argv[1:]
text = open(raw, 'rb').read().decode('utf-8', 'replace')
text = text.replace(script, '/tmp/step.sh').replace(project, '/drone/src')
# Written so that this file names none itself.
hosts = (r'(?:registry[.]npmjs[.]org|(?:www[.])?npmjs[.]com|files[.]pythonhosted[.]org|pypi[.]org|(?:index[.]|static[.])?crates[.]io|proxy[.]golang[.]org|sum[.]golang[.]org'
         r'|repo1?[.]maven[.]apache[.]org|repo1[.]maven[.]org|deb[.]debian[.]org|security[.]debian[.]org|rubygems[.]org|(?:repo[.])?packagist[.]org|registry-1[.]docker[.]io'
         r'|(?:plugins|services)[.]gradle[.]org|registry[.]terraform[.]io|index[.]docker[.]io|auth[.]docker[.]io)')
text = re.sub(hosts, 'registry.example', text)
text = re.sub(r'/root/\.pyenv/versions/[\d.]+', '/usr/local', text)
text = text.replace('/tmp/c/venv', '/opt/venv').replace('/tmp/corpus/', '/tmp/work/')
text = text.replace('/tmp/cb/venv', '/opt/venv').replace('/tmp/cb/', '/tmp/work/')
host = open('/etc/hostname').read().strip()
if len(host) > 3:
    text = text.replace(host, 'runner-1')
with open(out, 'wb') as f:
    f.write(text.encode())
