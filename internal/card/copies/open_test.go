package copies

import (
	"bytes"
	"strings"
	"testing"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/check/long"
	"girih/kernel/copy"
)

// TestCopyForAll plans copies of layouts with run-time integers, which needs no card.
func TestCopyForAll(t *testing.T) {
	t.Parallel()
	const rows, columns = "(M,N):(N,1)", "(M,N):(1,M)"
	for _, c := range []struct {
		args []string
		code int
		want []string // texts that both outputs together must contain
	}{
		{[]string{rows, columns, "--plan"}, 0, []string{"for all (M,N):(1,M) <- (M,N):(N,1)", "M from 1 to 2147483647; N from 1"}},
		{[]string{rows, columns, "--plan", "--json"}, 0, []string{`"extent":"M","src":"N","dst":1}`, `"open":"(M,N):(1,M)`}},
		{[]string{rows, columns, "--plan", "--set", "M=100,N=70"}, 0, []string{"blocks: (100,70):(1,100)", "predicted: "}},
		{[]string{rows, columns, "--plan", "--set", "M=100", "--set", "N=70", "--json"}, 0, []string{`"extent":100,"src":70,"dst":1`}},
		{[]string{rows, columns, "--print"}, 0, []string{".param .u32 M,"}},
		{[]string{"(M{div=8},N{div=8}):(N,1)", columns, "--plan"}, 0, []string{"8x8 elements", "M from 8 to 2147483640"}},
		{[]string{"(?,4):(1,?{i64})", "(4,?):(?,1)", "--plan"}, 0, []string{"x2 = ?{i64}"}},
		{[]string{rows, columns}, 1, []string{"error: unknown: ", "run-time integers", "hint: "}},
		{[]string{rows, columns, "--set", "M=3"}, 1, []string{"error: unknown: N has no value"}},
		{[]string{rows, columns, "--set", "M=3,N=0"}, 1, []string{"error: fact: N = 0 breaks the fact N >= 1"}},
		{[]string{rows, columns, "--set", "M=3,K=4"}, 1, []string{`no run-time integer "K"`, "hint: they have: M N"}},
		{[]string{rows, columns, "--set", "M=3000000000,N=1"}, 1, []string{"error: overflow: ", "M{i64}"}},
		{[]string{rows, "(M,N):(1,P)", "--set", "M=9,N=9,P=8"}, 1, []string{"error: not_injective: "}},
		{[]string{rows, columns, "--set", "M"}, 2, []string{"NAME=INTEGER"}},
		{[]string{rows, columns, "--set", "M=9223372036854775808"}, 2, []string{"of 64 bits"}},
		{[]string{rows, columns, "--set", "M=1,M=2"}, 2, []string{"two values, 1 and 2"}},
		{[]string{"4:1", "4:1", "--set", "M=1"}, 1, []string{`no run-time integer "M"`}},
		{[]string{"Sw<3,4,3> o 0 o (M,8):(8,1)", "(M,8):(8,1)"}, 1, []string{"error: type: ", "hint: swizzled"}},
		{[]string{"M", "M"}, 1, []string{"error: "}},
	} {
		var out bytes.Buffer
		open := func(int) (*gpu.Device, error) { return nil, &gpu.Error{Code: gpu.NoDriver, Message: "none"} }
		code := command.Run(t.Context(), []command.Command{Copy}, &command.Call{
			Args: append([]string{"copy", "--type", "f16"}, c.args...), Stdout: &out, Stderr: &out, Open: open,
		})
		if code != c.code {
			t.Errorf("%q: exit code %d, should be %d: %s", c.args, code, c.code, &out)
		}
		for _, w := range c.want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%q printed %q, without %q", c.args, &out, w)
			}
		}
	}
}

// TestOpenCases plans the cases of the table for run-time extents, a sample of them by default. The plan has the
// layouts of the case; if the case has a goal, the plan moves little more than the plan for known extents.
func TestOpenCases(t *testing.T) {
	t.Parallel()
	for i, c := range copyCases(drawSeed) {
		if long.Skips(i, 4) {
			continue
		}
		src, dst, err := c.layouts()
		if err != nil {
			t.Fatal(err)
		}
		p, err := copy.New(src, dst, copy.Options{Bytes: c.Bytes})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		x, err := c.open()
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		d := x.Plan.Describe()
		if d.Src != src.String() || d.Dst != dst.String() {
			t.Errorf("%s: %s to %s, should be %v to %v", c.Name, d.Src, d.Dst, src, dst)
		}
		if c.goal == 0 {
			continue
		}
		f, err := p.Predict()
		if err != nil {
			t.Fatal(err)
		}
		g, err := x.Plan.Predict()
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		moved := float64(g.Loads.Sectors+g.Stores.Sectors) / float64(f.Loads.Sectors+f.Stores.Sectors)
		ratio := float64(g.Instructions) / float64(f.Instructions)
		t.Logf("%s: %.2f of the sectors, %.2f of the instructions\n%v%v", c.Name, moved, ratio, p, x.Plan)
		if moved > 1.5 {
			t.Errorf("%s: %.2f of the sectors\n%v", c.Name, moved, x.Plan)
		}
	}
}
