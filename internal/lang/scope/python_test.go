package scope_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/lang/scope"
)

// pyDriver runs sources, and prints the probes of each one as a line of JSON.
const pyDriver = `
import sys, json, contextlib
for source in json.load(sys.stdin):
    out = []
    def probe(n, value, out=out):
        if isinstance(value, int): out.append("%d %d" % (n, value))
        return value
    def call(f, *args):
        try: return f(*args)
        except Exception: return None
    @contextlib.contextmanager
    def ctx(n):
        yield n
    try: exec(compile(source, "s", "exec"), {"probe": probe, "call": call, "ctx": ctx, "__name__": "s"})
    except SyntaxError: out = ["syntax"]
    except Exception: pass
    print(json.dumps("\n".join(out)))
`

// TestPythonRuns compares random sources with what CPython does.
func TestPythonRuns(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	n := 2000
	if long.Tests() {
		n = 40000
	}
	random := rand.New(rand.NewPCG(7, 11))
	var texts []string
	for range n {
		texts = append(texts, pythonSource(random.IntN))
	}
	input, _ := json.Marshal(texts)
	cmd := exec.Command("python3", "-c", pyDriver)
	cmd.Stdin = strings.NewReader(string(input))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var sum tally
	wrong := 0
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var printed string
		if err := json.Unmarshal([]byte(line), &printed); err != nil {
			t.Fatal(err)
		}
		if printed == "syntax" {
			wrong++
			continue
		}
		compareProbes(t, scope.Python, texts[i], readProbes(printed), &sum)
	}
	t.Logf("%+v; %d of %d sources do not compile", sum, wrong, n)
	if sum.certain < n/2 || sum.refused < n/2 || wrong > n/2 {
		t.Errorf("%+v; %d of %d sources do not compile", sum, wrong, n)
	}
}

// pythonSource writes a random source in Python.
func pythonSource(next func(int) int) string {
	w := &writer{next: next}
	for _, name := range []string{"K", "L", "M"} {
		if w.next(3) > 0 {
			w.line("%s = %d", name, w.value())
		}
	}
	w.pythonSuite(3, nil)
	return w.String()
}

// pythonSuite writes statements. calls are functions that may be called.
func (w *writer) pythonSuite(depth int, calls []string) {
	for range 1 + w.next(4) {
		if w.next(2) == 0 {
			w.line("%s", w.probe(""))
		}
		if len(calls) > 0 && w.next(3) == 0 {
			w.line("call(%s, %d)", calls[w.next(len(calls))], w.value())
		}
		if w.next(2) == 0 || depth == 0 {
			w.pythonSimple()
		} else if f := w.pythonCompound(depth - 1); f != "" {
			if calls = append(calls, f); w.next(2) == 0 {
				w.line("call(%s, %d)", f, w.value())
			}
		}
	}
	w.line("%s", w.probe(""))
}

func (w *writer) pythonSimple() {
	name, n := w.name(), w.value()
	forms := []string{
		"%[1]s = %[2]d", "%[1]s = %[2]d", "%[1]s = %[2]d", "%[1]s = %[3]s + %[2]d", "%[1]s: int = %[2]d", "%[1]s: int",
		"%[1]s += %[2]d", "%[1]s, %[3]s = %[2]d, 5", "(%[1]s, *%[3]s) = [%[2]d, 5]", "%[3]s = %[1]s = %[2]d", "del %[1]s",
		"_ = [%[1]s for %[1]s in range(3)]", "_ = (lambda %[1]s: %[1]s)(3)", "_ = (%[1]s := %[2]d)", "global %[1]s",
		"nonlocal %[1]s", "from sys import maxsize as %[1]s", "import sys as %[1]s", "if %[2]d > 450: %[1]s = %[2]d; %[3]s = 2",
		"for %[1]s in range(%[2]d, %[2]d + 2): pass", "_ = [%[1]s := x for x in range(3)]", "exec('%[1]s = 7')",
		"def %[1]s(): pass", "class %[1]s: %[3]s = 5", "_ = f'{(%[1]s := %[2]d)}'", "globals()['%[1]s'] = %[2]d",
		"\"\"\"\n%[1]s = 3\n\"\"\"", "_ = {'%[1]s': %[2]d}; _['%[1]s'] = 4", "_ = dict(%[1]s=%[2]d)", "%[1]s = (%[2]d +\n  5)",
		"%[1]s = \\\n  %[2]d",
	}
	form := forms[w.next(len(forms))]
	rare := strings.ContainsAny(form, "'") || strings.Contains(form, "al %")
	if w.next(3) == 0 || rare && w.next(8) > 0 { // one exec makes all names uncertain
		form = forms[w.next(3)]
	}
	w.line("%s", fmt.Sprintf(strings.ReplaceAll(form, "%[3]s", w.name()), name, n))
}

// pythonCompound writes a compound statement, and returns the name of a function that it defines.
func (w *writer) pythonCompound(depth int) (function string) {
	name, n := w.name(), w.value()
	suite := func(format string, args ...any) {
		w.line(format, args...)
		w.indent++
		w.pythonSuite(depth, nil)
		w.indent--
	}
	switch w.next(13) {
	case 0, 1, 2:
		f := w.fresh("f")
		forms := []string{"p", name, "*" + name, "p, " + name + "=3", "p, *, " + name + "=2", "p: int"}
		suite("def %s(%s):", f, forms[w.next(len(forms))])
		return f
	case 3:
		suite("class %s:", w.fresh("C"))
	case 4:
		suite("for %s in range(%d, %d):", name, n, n+2)
	case 5:
		suite("for _ in range(2):")
	case 6:
		suite("if %d > 450:", n)
		if w.next(2) == 0 {
			suite("else:")
		}
	case 7:
		suite("with ctx(%d) as %s:", n, name)
	case 8:
		suite("try:")
		suite("except ValueError as %s:", name)
	case 9:
		suite("try:")
		suite("finally:")
	case 10:
		w.line("match %d:", n)
		w.indent++
		suite("case %s if True:", name)
		w.indent--
	case 11:
		w.line("%s = [%s for %s in range(%d, %d)]", w.fresh("c"), w.probe(""), name, n, n+2)
	case 12:
		w.line("%s = (lambda %s: %s)(%d)", w.fresh("c"), name, w.probe(""), n)
	}
	return ""
}
