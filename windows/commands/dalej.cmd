@echo off
rem The command dalej, for whoever types it: in Terminal.cmd, or with this folder on the path.
"%~dp0..\python\python.exe" -X utf8 -c "from dalej.cli import main; main()" %*
