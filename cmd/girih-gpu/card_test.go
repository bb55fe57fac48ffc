package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"girih/gpu"
	"girih/internal/card/command"
)

// On a card some tables are right, the self-test passes, and two successive records are equal. The test is skipped if
// there is no card.
func TestOnACard(t *testing.T) {
	d, err := gpu.Open(0)
	e, ok := errors.AsType[*gpu.Error](err)
	if ok && (e.Code == gpu.NoDriver || e.Code == gpu.OldDriver || e.Code == gpu.NoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"truth SM75* SM70*", "truth --json SM75*", "selftest"} {
		var stdout, stderr bytes.Buffer
		c := &command.Call{Args: strings.Fields(args), Stdout: &stdout, Stderr: &stderr, Devices: gpu.Devices, Open: gpu.Open}
		if code := command.Run(t.Context(), commands(), c); code != command.ExitOK {
			t.Errorf("%s: exit code %d\n%s%s", args, code, &stdout, &stderr)
		}
		t.Logf("%s", &stdout)
	}
}
