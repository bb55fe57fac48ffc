package compat

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/internal/check/gen"
	"girih/internal/lang/eval"
)

// drawQuery draws an operation on small operands.
func drawQuery(t *rapid.T) (op string, args []string) {
	op = rapid.SampledFrom(Ops()).Draw(t, "op")
	layouts := texts(rapid.OneOf(gen.Layouts(), gen.Chained(24), gen.TinyStrides()))
	args = []string{layouts.Draw(t, "a")}
	switch op {
	case "right_inverse", "left_inverse", "coalesce":
		return op, args
	case "complement":
		if rapid.Bool().Draw(t, "cotarget") {
			args = append(args, strconv.FormatInt(rapid.Int64Range(1, 64).Draw(t, "m"), 10))
		}
		return op, args
	}
	if op != "blocked_product" && op != "raked_product" && rapid.Bool().Draw(t, "tiler") {
		tilers := rapid.SampledFrom([]string{"<2:1,_>", "(2,3)", "3", "<(2,2):(1,4)>", "<2,<2,_>>", "_"})
		return op, append(args, tilers.Draw(t, "tiler"))
	}
	return op, append(args, layouts.Draw(t, "b"))
}

// texts draws the texts of layouts without empty tuples, which the models do not cover.
func texts[L fmt.Stringer](g *rapid.Generator[L]) *rapid.Generator[string] {
	return rapid.Map(g, L.String).Filter(func(text string) bool { return !strings.Contains(text, "()") })
}

var aNumber = regexp.MustCompile(`-?[0-9]+`)

// checkGirih checks that, according to the judge, girih is never wrong, and no tool is right where no answer exists.
// The models, girih and the judge share no code.
func checkGirih(t *rapid.T) {
	op, args := drawQuery(t)
	q, err := NewQuery(op, args...)
	if err != nil {
		t.Fatalf("%s %q: %v", op, args, err)
	}
	r, err := eval.Eval(q.Expr())
	text, ok := "", err == nil
	if ok {
		text = r.Value.String()
		if f := q.JudgeText(text); f.Verdict == Wrong {
			t.Errorf("girih: %s = %s: %s", q.Expr(), text, f.Why)
		}
	}
	_, hopeless := q.Hopeless()
	for _, d := range Dialects() {
		a := q.Answer(d)
		f := q.Judge(a)
		if f.Verdict == Right && hopeless && op != "left_inverse" {
			t.Errorf("%v: %s = %s is right, and there is no answer", d, q.Expr(), a.Text)
		}
		if f.Verdict == Right && !ok && op != "left_inverse" {
			t.Errorf("%v: %s = %s is right, and girih refuses: %v", d, q.Expr(), a.Text, err)
		}
	}
}

func TestGirih(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkGirih)
}

func FuzzGirih(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkGirih)) }

// checkTotal checks that every model returns a layout or a refusal for any numbers, and that CPPDynamic with only
// constants answers like CPPStatic.
func checkTotal(t *rapid.T) {
	op, args := drawQuery(t)
	args = slices.Clone(args)
	extreme := rapid.SampledFrom([]string{
		"0", "-1", "-3", "4611686018427387904", "9223372036854775807", "-9223372036854775808", "1000003",
	})
	changes := rapid.IntRange(0, 2).Draw(t, "changes")
	for i := range args {
		all := aNumber.FindAllStringIndex(args[i], -1)
		for range changes {
			if len(all) == 0 {
				break
			}
			at := all[rapid.IntRange(0, len(all)-1).Draw(t, "at")]
			args[i] = args[i][:at[0]] + extreme.Draw(t, "number") + args[i][at[1]:]
			all = aNumber.FindAllStringIndex(args[i], -1)
		}
	}
	q, err := NewQuery(op, args...)
	if err != nil {
		return
	}
	for _, d := range Dialects() {
		a := q.Answer(d)
		if a.Refusal == nil && a.Text == "" || a.Refusal != nil && a.Refusal.Text == "" {
			t.Errorf("%v: %s = nothing", d, q.Expr())
		}
		q.Judge(a)
		Size(a.Text)
	}
	q.Hopeless()
	marked := make([]string, len(args))
	for i, a := range args {
		marked[i] = aNumber.ReplaceAllString(a, "_$0")
	}
	m, err := NewQuery(op, marked...)
	if err != nil {
		t.Fatalf("%q: %v", marked, err)
	}
	if a, b := q.Answer(CPPStatic), m.Answer(CPPDynamic); a.Text != b.Text || (a.Refusal == nil) != (b.Refusal == nil) {
		t.Errorf("%s = %s (%v), all known %s (%v)", q.Expr(), a.Text, a.Refusal, b.Text, b.Refusal)
	}
}

func TestTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkTotal)
}

func FuzzTotal(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkTotal)) }
