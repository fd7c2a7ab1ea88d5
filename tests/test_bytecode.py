"""The modules of the project are compiled to bytecode once for all processes of a test run."""

import os
import subprocess
import sys

from tests.conftest import ROOT

ASK = "import tests.conftest, subprocess, sys; subprocess.run([sys.executable, '-c', 'import sys; print(sys.flags)'])"


def test_processes_of_tests_write_bytecode_even_if_the_shell_forbids_it():
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    told = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert "dont_write_bytecode=0" in told.stdout, told.stderr
