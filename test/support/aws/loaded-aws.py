"""The AWS CLI, loaded once: it runs the commands of the script `aws` beside it, each in a fork of its own.

  python3 loaded-aws.py FOLDER OWNER VERSION

Ends with 0 as soon as it can be asked, and stays until the process OWNER is gone. Ends with another code if this Python has
no AWS CLI, or another VERSION of it than the command `aws`; then that is to be used as it is.
"""

import os
import platform
import select
import shutil
import signal
import sys
import traceback

before = dict(os.environ)

import awscli
import awscli.clidriver
import awscli.handlers
import botocore.endpoint
import botocore.httpsession

# It tells itself there where its data is.
own_words = {name: word for name, word in os.environ.items() if before.get(name) != word}
folder, owner, version = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def serve():
    # Reading and writing: it is never at its end, however many have asked.
    asked = os.open(os.path.join(folder, 'aws.asked'), os.O_RDWR)
    # Readable when that process ends; a process identifier may become another's.
    end = os.pidfd_open(owner)
    while end not in select.select([asked, end], [], [])[0]:
        for pid in os.read(asked, 4096).split():
            if os.fork() == 0:
                answer(pid.decode())


def answer(pid):
    """As if this were the process that asks: its words, its environment, its folder."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    place = os.path.join(folder, 'aws.' + pid)
    code = 255
    try:
        _, _, *sys.argv[1:] = words_of(pid, 'cmdline')
        sys.argv[0] = 'aws'
        os.environ.clear()
        os.environ.update(word.split('=', 1) for word in words_of(pid, 'environ') if '=' in word)
        os.environ.update(own_words)
        os.chdir('/proc/%s/cwd' % pid)
        for descriptor, name in ((1, '.out'), (2, '.err')):
            os.dup2(os.open(place + name, os.O_WRONLY | os.O_CREAT), descriptor)
        code = awscli.clidriver.main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        with open(place, 'w') as reply:
            reply.write('%d\n' % code)
        os._exit(0)


def words_of(pid, name):
    with open('/proc/%s/%s' % (pid, name), encoding='utf-8', errors='surrogateescape') as file:
        return file.read().split('\0')[:-1]


if not hasattr(os, 'pidfd_open') or ('aws-cli/%s Python/%s ' % (awscli.__version__, platform.python_version())) not in version:
    sys.exit(1)
os.mkfifo(os.path.join(folder, 'aws.asked'))
if os.fork() > 0:
    os._exit(0)
os.setsid()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
try:
    serve()
finally:
    shutil.rmtree(folder, ignore_errors=True)
