package interp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"girih/internal/check/long"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// runScript runs the programs in a JSON list, each in a separate process with limits of 2 seconds and 1 GiB of memory.
// For each program it writes the output and the exception that ended it, or "killed".
const runScript = `
import contextlib, io, json, os, resource, sys
def run(source):
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    sys.setrecursionlimit(400)
    out, error = io.StringIO(), ""
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "program", "exec"), {"__name__": "__main__"})
        except BaseException as e:
            error = type(e).__name__ + ": " + str(e)
    return json.dumps([out.getvalue(), error])
answers = []
for source in json.load(sys.stdin):
    read, write = os.pipe()
    if os.fork() == 0:
        os.close(read)
        with os.fdopen(write, "w") as f:
            f.write(run(source))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as f:
        text = f.read()
    os.wait()
    answers.append(json.loads(text) if text else ["", "killed"])
json.dump(answers, sys.stdout)
`

// runCPython runs programs with CPython. It skips the test if CPython is not installed.
func runCPython(t *testing.T, programs []string) [][2]string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here: CPython is the oracle of this test")
	}
	in, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "python3", "-W", "ignore", "-c", runScript)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v", err)
	}
	var answers [][2]string
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// runGirih returns what a program of Python prints, and the error that ends it.
func runGirih(src string) (out, fault string) {
	var b strings.Builder
	room := 1 << 29
	m := interp.Machine{
		Env: &eval.Env{}, Globals: interp.Globals{},
		Emit:    func(text string) error { b.WriteString(text); return nil },
		Stopped: func() *report.Error { return nil },
		Hold: func(bytes int) *report.Error {
			if room -= bytes; room < 0 {
				return &report.Error{Code: "memory", Message: "the program takes more than 512 MiB"}
			}
			return nil
		},
	}
	if r := m.Run(src, program.Python); r.Error != nil {
		fault = fmt.Sprintf("line %d: %s", r.Line, r.Error.Message)
	}
	return b.String(), fault
}

// refusals lists the errors of girih for programs that CPython accepts.
var refusals = []string{
	"exceeds 64 bits", "no order that Python promises", "depends on Python", "complex number", "exceeds the limit",
	"depends on the order",
	"calls are open", "exceed the limit", "nest deeper", "generators wait at the same time", "a program runs at most",
}

func isRefusal(fault string) bool {
	for _, text := range refusals {
		if strings.Contains(fault, text) {
			return true
		}
	}
	return false
}

// TestPythonPrograms compares the output of random programs in girih and CPython.
func TestPythonPrograms(t *testing.T) {
	t.Parallel()
	n := 200
	if long.Tests() {
		n = 4000
	}
	programs := make([]string, n)
	for i := range programs {
		programs[i] = newCoder(uint64(i)).program()
	}
	alike, raised, refused := 0, 0, 0
	for i, want := range runCPython(t, programs) {
		out, fault := runGirih(programs[i])
		switch {
		case want[1] == "killed":
			if !isRefusal(fault) {
				t.Errorf("program %d: CPython ends at its limits, girih with %q\n%s", i, fault, numbered(programs[i]))
			}
			refused++
		case strings.HasPrefix(want[1], "SyntaxError"):
			if fault == "" && !strings.Contains(want[1], "prior to global declaration") { // a check that girih does not make
				t.Errorf("program %d: CPython refuses it: %s\n%s", i, want[1], programs[i])
			}
		case fault != "" && isRefusal(fault) && strings.HasPrefix(want[0], out):
			refused++
		case out != want[0] || (fault == "") != (want[1] == ""):
			t.Errorf("program %d: %s\ngirih ends with %q, CPython with %q\n%s", i, firstDifference(out, want[0]),
				fault, want[1], numbered(programs[i]))
		case fault != "":
			raised++
			if !sameException(fault, want[1]) {
				t.Errorf("program %d: girih ends with %q, CPython with %q\n%s", i, fault, want[1], numbered(programs[i]))
			}
		default:
			alike++
		}
	}
	t.Logf("%d programs: %d print the same to their end, %d to the same exception, %d are refused", n, alike,
		raised, refused)
	if alike < n/4 || refused > n/4 {
		t.Errorf("too few of %d programs say anything", n)
	}
}

// sameException reports whether an error of girih has the message of CPython's exception. There are two exceptions: an
// assertion of girih also shows its condition, and girih uses its own words for a wrong number of arguments of a
// library function.
func sameException(fault, want string) bool {
	kind, _, _ := strings.Cut(want, ":")
	if kind == "AssertionError" || strings.Contains(fault, "() takes at ") {
		return kind == "AssertionError" || strings.Contains(fault, kind)
	}
	return strings.Contains(fault, strings.TrimSuffix(want, ": "))
}

// firstDifference returns the lines at which two outputs first differ.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of the output is %q, CPython prints %q", i+1, a[i], b[i])
		}
	}
	if len(a) == len(b) {
		return "the output is the same"
	}
	return fmt.Sprintf("the output has %d lines, CPython's %d; the next is %q", len(a), len(b), append(a,
		b...)[min(len(a), len(b))])
}

func numbered(src string) string {
	lines := strings.Split(src, "\n")
	for i := range lines {
		lines[i] = fmt.Sprintf("%3d  %s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}
