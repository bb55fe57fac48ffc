package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"girih/internal/service"
)

const composeError = `gemm.py:3: error: unable to compute the following composition: ` +
	`'!cute.layout<"(2,3):(4,1)">' o '!cute.layout<"(3,4):(3,1)">'` + "\n"

func TestWhy(t *testing.T) {
	t.Parallel()
	r := new(service.Session).Why(service.WhyRequest{Text: "compiling\n" + composeError})
	if !r.OK || len(r.Findings) != 1 {
		t.Fatalf("Why = %+v", r)
	}
	f := r.Findings[0]
	if f.Line != 2 || f.Pair != "3:3 and 2:4" || f.Expr != "(2,3):(4,1) o (3,4):(3,1)" {
		t.Errorf("found %+v", f)
	}
	if f.Explanation == nil || f.Explanation.Failure == nil {
		t.Errorf("the operation is not explained: %+v", f.Explanation)
	}
	plain, steps := r.Brief().Text(100), r.Text(100)
	for _, want := range []string{"line 2: CuTe DSL", "fails ", "repair 1 ", "3 mod 2 = 1"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the text has no %q:\n%s", want, plain)
		}
	}
	if len(steps) <= len(plain) {
		t.Error("no steps")
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestWhyNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, code, says string }{
		"empty":    {" \n", "syntax", "empty"},
		"binary":   {"\x7fELF\x02\x01\x01", "syntax", "binary"},
		"noise":    {strings.Repeat("\xff\x00\xfe", 100), "syntax", "no text"},
		"prose":    {"everything is fine", "syntax", "no error message"},
		"layout":   {"(4,4):(1,2)", "syntax", "one layout"},
		"too long": {strings.Repeat("a", service.MaxWhy+1), "limit", "longer"},
	} {
		r := new(service.Session).Why(service.WhyRequest{Text: c.text})
		if r.OK || r.Error == nil || r.Error.Code != c.code || !strings.Contains(r.Error.Message, c.says) {
			t.Errorf("%s: %+v, %+v; want %s: %s", name, r.OK, r.Error, c.code, c.says)
		}
	}
}

// longLogs are an error repeated n times, one long line, unclosed quotations, and one error below n frames.
func longLogs(n int) map[string]string {
	failed := "x.hpp(1): error: static assertion failed with \"Stride Divisibility Condition\"\n"
	frame := "instantiation of \"auto cute::composition(const A &) [with LShape=cute::_4, LStride=cute::_1]\" at line 1 of x.cu\n"
	return map[string]string{
		"many":     strings.Repeat(composeError, n),
		"one line": strings.Repeat("error: cute ", n*10),
		"open":     strings.Repeat("instantiation of \"auto cute::f(", n*10),
		"frames":   failed + strings.Repeat(frame, n),
	}
}

// A long log gets the answer of a short one. That the time grows in proportion is for BenchmarkWhyLongLog.
func TestWhyLongLog(t *testing.T) {
	t.Parallel()
	short := longLogs(3)
	for name, text := range longLogs(1000) {
		got := new(service.Session).Why(service.WhyRequest{Text: text})
		want := new(service.Session).Why(service.WhyRequest{Text: short[name]})
		if got.OK != want.OK || len(got.Findings) != len(want.Findings) {
			t.Errorf("%s: ok %v with %d findings, of the short log ok %v with %d",
				name, got.OK, len(got.Findings), want.OK, len(want.Findings))
		}
	}
}

func BenchmarkWhyLongLog(b *testing.B) {
	for _, n := range []int{500, 2000} {
		for name, text := range longLogs(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					new(service.Session).Why(service.WhyRequest{Text: text})
				}
			})
		}
	}
}

// If the operands do not violate the check of a message, because the text is cut or from another version, the finding
// gives girih's own reason.
func TestWhyLearnsFromTheExplanation(t *testing.T) {
	t.Parallel()
	r := new(service.Session).Why(service.WhyRequest{Text: `layout.hpp(1050): error: static assertion failed with "Stride Divisibility Condition"
  detected during instantiation of "auto cute::detail::composition_impl(const LShape &, const LStride &, const RShape &, const RStride &) ` +
		`[with LShape=cute::tuple<cute::_6, cute::_2>, LStride=cute::tuple<cute::_8, cute::_2>, RShape=cute::_4, RStride=cute::_4]"`})
	if len(r.Findings) != 1 || r.Findings[0].Condition == "" || r.Findings[0].Pair == "" || len(r.Findings[0].Repairs) == 0 {
		t.Fatalf("%+v", r)
	}
	for _, a := range r.Findings[0].Repairs {
		var s service.Session
		if v := s.Eval(service.EvalRequest{Expr: a.Expr}); !v.OK || v.Value != a.Result {
			t.Errorf("%s: %+v, said %s", a.Expr, v, a.Result)
		}
	}
}

// A text may need the values of many expressions: all of them share the time of the request.
func TestWhyWithin(t *testing.T) {
	t.Parallel()
	over, stop := context.WithCancel(t.Context())
	stop()
	for _, text := range []string{strings.Repeat("image(4194304:3)\n", 32), composeError, "sA = (8,64):(64,1)"} {
		s := new(service.Session)
		s.Within(over, service.Room{})
		if r := s.Why(service.WhyRequest{Text: text}); r.OK || r.Error == nil || r.Error.Code != "limit" ||
			r.Error.Message == "" {
			t.Errorf("%.20s: %+v, %+v", text, r.OK, r.Error)
		}
	}
}

// An atom that the language cannot express is not compared with Triton's encodings.
func TestAtomIsNoEncoding(t *testing.T) {
	t.Parallel()
	const program = "cute.make_copy_atom(cute.nvgpu.CopyUnheardOp(), cutlass.Float16, num_bits_per_copy=128)"
	r := new(service.Session).Eval(service.EvalRequest{Expr: program})
	if r.OK || r.Error == nil || strings.Contains(r.Error.Hint, "amd_mfma") {
		t.Errorf("%+v", r.Error)
	}
}

// Messages that were passed over are quoted.
func TestWhyPassedOver(t *testing.T) {
	t.Parallel()
	r := new(service.Session).Why(service.WhyRequest{Text: composeError + "SomeException: the reason\n"})
	if text := r.Text(100); len(r.Passed) != 1 || !strings.Contains(text, "passed over 1 error message:") ||
		!strings.Contains(text, "SomeException: the reason") {
		t.Errorf("%q: %s", r.Passed, text)
	}
}
