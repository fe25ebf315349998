@echo off
rem A command line in Documents\Dalej that knows the command dalej.
setlocal
title Dalej
chcp 65001 >nul
if not exist "%~dp0python\python.exe" goto zipped
set "PATH=%~dp0commands;%PATH%"
"%~dp0python\python.exe" -X utf8 "%~dp0start.py" --terminal
if %errorlevel% neq 0 pause
exit /b

:zipped
echo Najpierw rozpakuj cały plik zip.
echo Unzip the whole file first.
echo Prima estrai tutto il file zip.
pause
exit /b 1
