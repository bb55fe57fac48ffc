package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// status runs a command and checks its exit status: status 2 girih eval. stdout and stderr of the script then check its
// output.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// bigLine writes a file of three lines, the second one of the given length: bigline FILE BYTES EXPR.
func bigLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: bigline FILE BYTES EXPR")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	line := strings.Repeat(" ", n-len(args[2])) + args[2]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("4:1\n"+line+"\n2+2\n"), 0o600))
}
