package litmus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/fault"
)

// FuzzParse parses arbitrary texts, and answers the tests that parse within small limits.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.litmus")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(".global x;\n.surfref s virtually aliases x;\nd0.b0.t0 { st [x], 1; suld r0, [s] == 1; }\npermit (r0 == 1) as a;")
	f.Add(".global x;\nd0.b0.t0 { $0 [x], 1; }\nassert ([x] $1 1) as a;\n$$\nst | ==\nst.weak | !=\n")
	f.Fuzz(func(t *testing.T, text string) {
		tests, err := Parse(text)
		if err != nil {
			if !errors.Is(err, fault.Syntax) && !errors.Is(err, fault.Limit) {
				t.Fatalf("an error without its code: %v", err)
			}
			return
		}
		for _, test := range tests[:min(len(tests), 3)] {
			for _, ask := range test.Asks {
				_, _ = Run(test, ask, Limits{Rounds: 1, States: 300})
			}
			_, _ = Terminates(test, Limits{Rounds: 1, States: 300})
		}
	})
}

// TestParseErrors checks the errors for texts that are not tests.
func TestParseErrors(t *testing.T) {
	t.Parallel()
	test := func(threads, rows, cond string) string {
		return "PTX t\n{ x=0; P0:r1=2; }\n" + threads + " ;\n" + rows + "\n" + cond
	}
	const one, ok = "P0@cta 0,gpu 0", "exists (x == 0)"
	for _, c := range []struct{ text, says string }{
		{"", "expected PTX, a name and {"},
		{"X86 t { }", "expected PTX"},
		{test(one, "st x, 1 ;", ok), ""}, // st without a modifier is weak
		{test(one, "st.relaxed x, 1 ;", ok), "line 4: expected a scope"},
		{test(one, "st.weak.gpu x, 1 ;", ok), "no scope"},
		{test(one, "st.acquire.gpu x, 1 ;", ok), "instead of .acquire"},
		{test(one, "atom.relaxed.gpu r0, x, 1 ;", ok), "an operation such as .add"},
		{test(one, "jump L ;", ok), "an instruction of PTX"},
		{test(one, "goto L ;", ok), "a label of P0"},
		{test(one, "L: ; L: ;", ok), "one label L"},
		{test(one, "bar.cta.wait 0 ;", ok), "a barrier with .sync"},
		{test(one, "fence.proxy.tensormap ;", ok), "fence.proxy with"},
		{test(one, "fence.relaxed.gpu ;", ok), "a fence with"},
		{test(one, "fence.sc ;", ok), "a scope in fence.sc"},
		{test(one, "membar.gl ;", ok), ""},
		{test(one, "cp.async.bulk.tensor x, y ;", ok), "cp.async with"},
		{test(one, "st.weak x, 1 | st.weak x, 1 ;", ok), "one column for each thread"},
		{test(one, "st.weak x, 99999999999999999999 ;", ok), "64 bits"},
		{test(one, "st.weak x, 1 ;", "exists (P0:r9 == 0)"), "a register of P0"},
		{test(one, "st.weak x, 1 ;", "exists (P3:r9 == 0)"), "a thread instead of P3"},
		{test(one, "st.weak x, 1 ;", "exists (q == 0)"), "a register or a location"},
		{test(one, "st.weak x, 1 ;", "exists (x == 0"), `")"`},
		{test(one, "st.weak x, 1 ;", "exists (x 0)"), "a comparison"},
		{test(one, "st.weak x, 1 ;", "maybe (x == 0)"), `expected`},
		{"PTX t { x=0; y @ generic aliases y; } " + one + " ; exists (x == 0)", "differs from y"},
		{"PTX t { x=0; y @ sound aliases x; } " + one + " ; exists (x == 0)", "generic, constant"},
		{".global x;\nd0.b0.t0 { st [x], 1 == 2; }\npermit (x == 1) as a;", "without a result"},
		{".global x;\nd0.b0.t0 { st [x], 1; }\n", "permit, check or assert"},
		{".global x;\nd0.q0.t0 { st [x], 1; }\npermit (x == 1) as a;", "b0 instead of q0"},
		{strings.Repeat(" ", maxText+1), "at most"},
		{".global x;\n" + strings.Repeat("$0", 20000) + "\n$$\n" + strings.Repeat("y", 20000) + "\n", "at most 65536 bytes, found 400"},
	} {
		_, err := Parse(c.text)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.200s\ngot %v, want %q", c.text, err, c.says)
		}
	}
}

// TestLimits checks the errors for tests that are too large.
func TestLimits(t *testing.T) {
	t.Parallel()
	many := func(n int, instruction string) string { return strings.Repeat(instruction+" ;\n", n) }
	for _, c := range []struct{ rows, says string }{
		{many(60, "st.weak x, 1"), "at most 59 reads"},
		{many(1001, "add r0, r0, 1"), "1000 instructions"},
		{"L: ;\natom.relaxed.gpu.add r0, x, 1 ;\nbge r0, 0, L ;", "states of interleavings"},
		{"L: ;\ndiv r0, 1, r0 ;\nld.relaxed.gpu r1, x ; beq r1, 0, L ;", "a divisor other than 0"},
	} {
		tests, err := Parse("PTX t\n{ x=0; }\nP0@cta 0,gpu 0 ;\n" + c.rows + "\nexists (x == -1)")
		if err != nil {
			t.Fatal(err)
		}
		_, err = Terminates(tests[0], Limits{Rounds: 1, States: 1 << 22})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.80s: got %v, want %q", c.rows, err, c.says)
		}
	}
}
