package symbolic

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
)

const (
	least    = math.MinInt64
	greatest = math.MaxInt64
)

// Facts that no integer satisfies are refused, and the message says why.
func TestFactsThatContradict(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f    Facts
		part string // a part of the message; "" if an integer satisfies the facts
	}{
		{NoFacts(), ""},
		{Facts{Div: 8, Min: 1, Max: 8}, ""},
		{Facts{Div: 8, Min: 1, Max: 7}, "no multiple of 8 is at least 1 and at most 7"},
		{Facts{Div: 8, Min: -7, Max: -1}, "no multiple of 8"},
		{Facts{Div: 8, Min: -7, Max: 7}, ""}, // 0
		{Facts{Div: 8, Min: -8, Max: -8}, ""},
		{Facts{Div: 1, Min: 9, Max: 4}, "no integer is at least 9 and at most 4"},
		{Facts{Div: 0, Min: least, Max: greatest}, "div must be at least 1, found 0"},
		{Facts{Div: -8, Min: least, Max: greatest}, "div must be at least 1, found -8"},
		{Facts{Div: 1, Min: least, Max: greatest, Bits: 16}, "32 or 64 bits, found 16"},
		{Facts{Div: 1, Min: least, Max: greatest, Bits: 64}, ""},
		{Facts{Div: greatest, Min: 1, Max: greatest - 1}, "no multiple of 9223372036854775807"},
		{Facts{Div: 3, Min: least + 1, Max: least + 1}, "no multiple of 3"},
	} {
		var s Scope
		_, err := s.Named("K", tt.f)
		_, again := s.Anonymous(tt.f)
		if tt.part == "" {
			if err != nil || again != nil {
				t.Errorf("%+v is refused: %v, %v", tt.f, err, again)
			}
			continue
		}
		if codeOf(err) != cute.CodeFact || codeOf(again) != cute.CodeFact || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("%+v: %v and %v, want the code fact with %q", tt.f, err, again, tt.part)
		}
	}
}

// Facts hold from the first mention on; a later mention states the same facts or none.
func TestFactsOfLaterMentions(t *testing.T) {
	t.Parallel()
	none := NoFacts()
	eight := Facts{Div: 8, Min: least, Max: greatest}
	some := Facts{Div: 8, Min: 0, Max: 4096}
	for _, tt := range []struct {
		name          string
		first, second Facts
		extent        bool // whether the symbol is an extent in between
		ok            bool
	}{
		{"none again", eight, none, false, true},
		{"the same again", eight, eight, false, true},
		{"none first", none, eight, false, false},
		{"another divisor", eight, some, false, false},
		{"the same after a use as an extent", eight, eight, true, true},
		{"a lower bound of 0 again after a use as an extent", some, some, true, true},
		{"the bound that an extent has", none, Facts{Div: 1, Min: 1, Max: greatest}, true, true},
		{"another bound after a use as an extent", none, Facts{Div: 1, Min: 2, Max: greatest}, true, false},
	} {
		var s Scope
		x, err := s.Named("K", tt.first)
		if err != nil {
			t.Fatal(err)
		}
		if tt.extent {
			if _, err := New(Number(Of(x)), Number(Const(1))); err != nil || x.Facts().Min != 1 {
				t.Errorf("%s: an extent is at least %d, %v, want 1", tt.name, x.Facts().Min, err)
			}
		}
		y, err := s.Named("K", tt.second)
		if tt.ok && (err != nil || x != y) || !tt.ok && codeOf(err) != cute.CodeFact {
			t.Errorf("%s: %s then %s is %v, want ok %v", tt.name, tt.first, tt.second, err, tt.ok)
		}
	}
}

// Values that break a fact are refused, and only these.
func TestValuesThatBreakFacts(t *testing.T) {
	holds(t, func(t *rapid.T) {
		x := rapid.SampledFrom(drawSymbols(t)).Draw(t, "symbol")
		f := x.Facts()
		v := rapid.Int64Range(-60, 120).Draw(t, "value")
		keeps := v%f.Div == 0 && v >= f.Min && v <= f.Max
		at := Values{x: v}
		_, errInt := Of(x).At(at)
		_, errGuard := Guard{atMostIf(Of(x), Const(0))}.Holds(at)
		_, errWith := Number(Of(x)).With(at)
		l := layoutOf(Number(Const(2)), Number(Of(x)))
		_, errLayout := l.At(at)
		for _, err := range []error{errInt, errGuard, errWith, errLayout} {
			if keeps && err != nil || !keeps && codeOf(err) != cute.CodeFact {
				t.Fatalf("%s = %d: %v, want admitted %v", x, v, err, keeps)
			}
		}
		if got, _ := Of(x).At(at); keeps && got != v {
			t.Fatalf("%s = %d is %d", x, v, got)
		}
	})
}

// A symbol that is used as an extent becomes positive; any other expression adds a condition to the guard.
func TestExtentsArePositive(t *testing.T) {
	t.Parallel()
	var s Scope
	sym := func(name string, f Facts) Int {
		x, err := s.Named(name, f)
		if err != nil {
			t.Fatal(err)
		}
		return Of(x)
	}
	var c calc
	k := sym("K", Facts{Div: 8, Min: least, Max: greatest})
	x, low := sym("X", NoFacts()), sym("Z", Facts{Div: 1, Min: least, Max: 0})
	for _, tt := range []struct {
		extent Int
		guard  string
		code   cute.Code
	}{
		{k, "", ""},
		{c.mul(k, Const(3)), "", ""},
		{c.sub(x, Const(4)), "1 <= X-4", ""},
		{c.mul(x, Const(-1)), "1 <= -X", ""},
		{low, "", cute.CodeExtent},
		{Const(0), "", cute.CodeExtent},
		{c.sub(low, k), "", cute.CodeExtent},
	} {
		l, err := New(Number(tt.extent), Number(Const(1)))
		if codeOf(err) != tt.code || l.Guard().String() != tt.guard {
			t.Errorf("the extent %s: guard %q, %v, want %q and the code %q", tt.extent, l.Guard(), err, tt.guard, tt.code)
		}
	}
	if atMost(Const(8), k) != yes {
		t.Error("an extent that 8 divides is not known to be at least 8")
	}
}

// A missing value is an error, even if the term of the symbol vanishes.
func TestValuesThatAreMissing(t *testing.T) {
	t.Parallel()
	var s Scope
	m, _ := s.Named("M", NoFacts())
	k, _ := s.Named("K", NoFacts())
	var c calc
	if _, err := c.mul(Of(m), Of(k)).At(Values{m: 0}); codeOf(err) != cute.CodeUnknown {
		t.Errorf("M*K without K: %v, want the code unknown", err)
	}
	if x, ok := c.with(c.mul(Of(m), Of(k)), Values{m: 0}).Int64(); !ok || x != 0 {
		t.Errorf("M*K with M = 0 is %d, %v, want 0", x, ok)
	}
}

// Lookup finds symbols by the names that are printed.
func TestLookup(t *testing.T) {
	t.Parallel()
	var s Scope
	first, _ := s.Anonymous(NoFacts())
	k, _ := s.Named("K", NoFacts())
	second, _ := s.Anonymous(NoFacts())
	for name, want := range map[string]*Symbol{"?1": first, "?2": second, "K": k, "?": nil, "?3": nil, "M": nil} {
		if got, ok := s.Lookup(name); got != want || ok != (want != nil) {
			t.Errorf("Lookup(%q) = %v, %v, want %v", name, got, ok, want)
		}
	}
}
