"""`python -m tools.release` makes a release, or says why not; a rehearsal changes nothing."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools import release
from tools.release import Refused

NEXT = "97.0.0"
DATED = f"# Changes\n\n## {NEXT}, 2027-01-31\n\n- Better.\n"


def git(root, command):
    return subprocess.run(("git", *command.split()), cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def project(tmp_path):
    """A small project of the same shape, with the changelog of its next version."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "fairdeal"\nversion = "0.1.0"\n')
    (root / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 0.1.0\n")
    (root / "CHANGELOG.md").write_text(DATED)
    (root / ".gitignore").write_text("dist/\n")
    git(root, "init --quiet")
    for name, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(root, f"config {name} {value}")
    git(root, "add .")
    git(root, "commit --quiet -m begin")
    return root


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The archive and the wheel of this work tree."""
    return release.build(ROOT, tmp_path_factory.mktemp("dist"))


def everything(root):
    """Return everything that a release could change."""
    there = {path.name: path.read_bytes() for path in root.iterdir() if path.is_file()}
    return there, git(root, "log --format=%H"), git(root, "tag"), git(root, "status --porcelain --ignored")


def refusal(root, version, capsys):
    before = everything(root)
    assert release.main([version], root) == 1
    assert everything(root) == before
    return capsys.readouterr().err


def test_a_project_that_is_not_ready_is_refused(project, capsys):
    assert "not a version" in refusal(project, "0.2", capsys)
    assert "is not above the present version, 0.1.0" in refusal(project, "0.0.9", capsys)
    assert "CHANGELOG.md has no section for 0.2.0" in refusal(project, "0.2.0", capsys)
    git(project, "tag v0.1.0")
    assert "is not above the present version" in refusal(project, "0.1.0", capsys)
    (project / "CHANGELOG.md").write_text(f"## {NEXT}, unreleased\n\n- Better.\n")
    assert "the work tree has changes" in refusal(project, NEXT, capsys)
    git(project, "commit --quiet -am undated")
    assert f"CHANGELOG.md has no section for {NEXT}" in refusal(project, NEXT, capsys)


def test_a_failed_build_is_not_released_and_restores_the_version(project, capsys):
    assert "hatchling build" in refusal(project, NEXT, capsys)


def test_a_release_is_committed_and_tagged(project, monkeypatch, capsys):
    seen = []
    monkeypatch.setattr(release, "checked_build", lambda root, *given: seen.append(release.version_in(root)))
    assert release.main([NEXT], project) == 0
    assert seen == [NEXT]
    assert release.version_in(project) == NEXT
    assert (project / "CITATION.cff").read_text() == f"cff-version: 1.2.0\nversion: {NEXT}\n"
    assert git(project, "log -1 --format=%s").strip() == f"Release {NEXT}"
    assert git(project, f"cat-file -t v{NEXT}").strip() == "tag"
    assert git(project, f"rev-parse v{NEXT}^{{}}") == git(project, "rev-parse HEAD")
    assert git(project, "status --porcelain") == ""
    assert f"git push origin HEAD v{NEXT}" in capsys.readouterr().out
    assert "is not above" in refusal(project, NEXT, capsys)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is not a clone")
def test_a_rehearsal_builds_and_checks_a_copy_and_changes_nothing(tmp_path, monkeypatch, capsys):
    root = tmp_path / "clone"
    git(ROOT, f"clone --quiet --depth 1 file://{ROOT} {root}")
    for name, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(root, f"config {name} {value}")
    (root / "CHANGELOG.md").write_text(DATED)
    git(root, "commit --quiet -am dated")
    installed = []  # which would fetch the dependencies
    monkeypatch.setattr(release, "check_installed", lambda wheel, *given: installed.append(wheel.name))
    before = everything(root)
    assert release.main([NEXT, "--dry-run"], root) == 0, capsys.readouterr().err
    assert everything(root) == before
    told = capsys.readouterr().out
    assert f"fairdeal-{NEXT}.tar.gz, fairdeal-{NEXT}-py3-none-any.whl" in told
    assert "nothing was changed" in told
    assert installed == [f"fairdeal-{NEXT}-py3-none-any.whl"]


def test_the_archive_and_wheel_of_this_version_are_whole(built):
    release.check_contents(*built, release.version_in(ROOT))


@pytest.mark.parametrize("file", ["fairdeal/rulebook/chi.md", "fairdeal/server/web/main.js"])
def test_a_wheel_without_a_file_is_refused(file, built, tmp_path):
    archive, wheel = built
    with pytest.raises(Refused, match=f"the wheel lacks {re.escape(file)}"):
        release.check_contents(archive, copied(wheel, tmp_path, without=file), release.version_in(ROOT))


def test_a_wheel_with_tests_is_refused(built, tmp_path):
    archive, wheel = built
    altered = Path(shutil.copy(wheel, tmp_path))
    with zipfile.ZipFile(altered, "a") as packed:
        packed.writestr("tests/test_chi.py", "")
    with pytest.raises(Refused, match="does not belong there: tests/test_chi"):
        release.check_contents(archive, altered, release.version_in(ROOT))


def test_a_package_with_wrong_or_missing_metadata_is_refused(built):
    with pytest.raises(Refused, match="calls itself fairdeal"):
        release.check_contents(*built, "96.0.0")
    with pytest.raises(Refused, match="no Summary"):
        release.check_metadata("Name: fairdeal\nVersion: 1.0.0\n\nhello", "1.0.0")


def copied(wheel, folder, without):
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(folder / wheel.name, "w") as packed:
        for name in whole.namelist():
            if name != without:
                packed.writestr(name, whole.read(name))
    return folder / wheel.name
