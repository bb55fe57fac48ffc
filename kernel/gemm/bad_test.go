package gemm

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestZeroPlan checks that a Plan that New did not make says so.
func TestZeroPlan(t *testing.T) {
	t.Parallel()
	p := &Plan{}
	if _, err := p.Kernel(); !errors.Is(err, cute.CodeUnknown) {
		t.Errorf("Kernel: %v", err)
	}
	if p.Workspace() != 0 || p.Realign() != nil || p.Choice() != (Choice{}) || p.Args()["m"] != 0 {
		t.Errorf("a zero plan: %d, %v, %v, %v", p.Workspace(), p.Realign(), p.Choice(), p.Args())
	}
	if text := p.String(); !strings.Contains(text, "no plan") {
		t.Errorf("text: %q", text)
	}
	if data, err := json.Marshal(p); err != nil || !json.Valid(data) {
		t.Errorf("JSON: %s, %v", data, err)
	}
}

// TestBadCards checks cards that cannot be.
func TestBadCards(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(*Card){
		"zero":       func(c *Card) { *c = Card{} },
		"SMs":        func(c *Card) { c.SMs = -1 },
		"many":       func(c *Card) { c.SMs = math.MaxInt64 },
		"shared":     func(c *Card) { c.Shared = math.MaxInt64 },
		"negative":   func(c *Card) { c.Shared = -1 },
		"L2":         func(c *Card) { c.L2 = math.MinInt64 },
		"rate":       func(c *Card) { c.Memory = 0 },
		"NaN":        func(c *Card) { c.Cache = math.NaN() },
		"infinite":   func(c *Card) { c.Boost = math.Inf(1) },
		"clock":      func(c *Card) { c.Clock = -1 },
		"clusters":   func(c *Card) { c.Clusters[0] = -1 },
		"more":       func(c *Card) { c.Clusters[6] = math.MaxInt64 },
		"no memory":  func(c *Card) { c.Memory = math.Inf(1) },
		"subnormal":  func(c *Card) { c.Memory = math.SmallestNonzeroFloat64 },
		"many bytes": func(c *Card) { c.L2 = math.MaxInt64 },
	} {
		c := Cards()[0]
		f(&c)
		if p, err := New(Problem{M: 64, N: 64, K: 64, In: dtype.F16}, c, Options{}); !errors.Is(err, cute.CodeExtent) {
			t.Errorf("%s: %v, %v", name, err, p)
		}
	}
}

// TestBadEpilogues checks functions that cannot be part of a kernel: they return, take or do what they must not.
func TestBadEpilogues(t *testing.T) {
	t.Parallel()
	type in = map[string]kernel.Value
	type element = func(kernel.Value, in, ...kernel.Index) kernel.Value
	for name, tt := range map[string]struct {
		code cute.Code
		make func(k *kernel.K) element
	}{
		"no function": {cute.CodeUnknown, func(*kernel.K) element { return nil }},
		"panics":      {cute.CodeUnknown, func(*kernel.K) element { panic("no") }},
		"panics later": {cute.CodeUnknown, func(*kernel.K) element {
			return func(kernel.Value, in, ...kernel.Index) kernel.Value { panic(errors.New("no")) }
		}},
		"index": {cute.CodeUnknown, func(*kernel.K) element {
			return func(acc kernel.Value, _ in, at ...kernel.Index) kernel.Value { _ = at[2]; return acc }
		}},
		"nothing": {cute.CodeType, func(*kernel.K) element {
			return func(kernel.Value, in, ...kernel.Index) kernel.Value { return kernel.Value{} }
		}},
		"f16": {cute.CodeType, func(*kernel.K) element {
			return func(acc kernel.Value, _ in, _ ...kernel.Index) kernel.Value { return acc.Convert(dtype.F16) }
		}},
		"integer": {cute.CodeType, func(k *kernel.K) element {
			return func(kernel.Value, in, ...kernel.Index) kernel.Value { return k.Number(dtype.S32, 1) }
		}},
		"another name": {cute.CodeType, func(k *kernel.K) element {
			return func(acc kernel.Value, x in, _ ...kernel.Index) kernel.Value { return acc.Add(x["nothing"]) }
		}},
		"parameter": {cute.CodeName, func(k *kernel.K) element {
			k.Scalar("bias", dtype.F32)
			return func(acc kernel.Value, _ in, _ ...kernel.Index) kernel.Value { return acc }
		}},
	} {
		for _, card := range Cards() {
			p, err := New(Problem{M: 64, N: 64, K: 64, In: dtype.F16, Epilogue: Epilogue{
				Inputs: []Input{{"bias", dtype.F32, "n"}}, Make: tt.make,
			}}, card, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err = p.Kernel(); !errors.Is(err, tt.code) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestBadNames checks names of inputs that PTX or other parameters of the kernel have.
func TestBadNames(t *testing.T) {
	t.Parallel()
	for _, inputs := range [][]string{
		{"A"},
		{"B"},
		{"D"},
		{"W"},
		{"C"},
		{"m"},
		{"blocks"},
		{"ldA"},
		{"alpha"},
		{""},
		{"x", "x"},
		{"x", "ldx"},
		{"ldx", "x"},
		{"ldC"},
		{"a b"},
		{"x\x00"},
		{"%r1"},
		{"1x"},
		{"ß"},
		{"int"},
		{"sA"},
		{"sB"},
		{"sD"},
		{"pipe"},
		{"turns"},
		{"return"},
		{strings.Repeat("x", 1<<20)},
		{"gemm_64x8x64"},
		{"WARP_SZ"},
		{"_"},
		{"$"},
	} {
		e := Epilogue{Add: dtype.F16}
		for _, name := range inputs {
			e.Inputs = append(e.Inputs, Input{name, dtype.F32, "mn"})
		}
		for _, card := range Cards() {
			p, err := New(Problem{M: 64, N: 64, K: 64, In: dtype.F16, Epilogue: e}, card, Options{})
			if err == nil {
				_, err = p.Kernel()
				if err == nil {
					t.Logf("%.60q is a name", inputs)
					continue
				}
				t.Errorf("%.60q: Kernel finds what New should: %.100v", inputs, err)
			}
			if !errors.Is(err, cute.CodeName) || len(err.Error()) > 1000 {
				t.Errorf("%.60q: %.100v", inputs, err)
			}
		}
	}
}

// TestNamesOfParameters checks inputs with the name of a parameter that another input has, and a C without beta.
func TestNamesOfParameters(t *testing.T) {
	t.Parallel()
	for _, inputs := range [][]Input{
		{{"C", dtype.F32, "n"}},
		{{"C", dtype.F16, "mn"}},
		{{"batchx", dtype.F32, "m"}, {"x", dtype.F32, "mnl"}},
		{{"ldx", dtype.F32, "m"}, {"x", dtype.F32, "mnl"}},
		{{"x", dtype.F16, "mn"}, {"x_map", dtype.F32, "n"}},
		{{"x_map", dtype.F32, "n"}, {"x", dtype.F16, "mn"}},
	} {
		p := Problem{M: 64, N: 64, K: 64, L: 2, In: dtype.F16, Epilogue: Epilogue{Inputs: inputs}}
		if _, err := New(p, Cards()[0], Options{}); !errors.Is(err, cute.CodeName) {
			t.Errorf("%v: %v", inputs, err)
		}
	}
}

// TestSmallCards checks that a card with fewer multiprocessors than blocks of a cluster has no such cluster.
func TestSmallCards(t *testing.T) {
	t.Parallel()
	card := gateCard
	card.SMs = 2
	p := Problem{M: 300, N: 300, K: 64, In: dtype.F16}
	if _, err := New(p, card, Options{Cluster: 4}); !errors.Is(err, cute.CodeLimit) {
		t.Errorf("a cluster of 4 blocks: %v", err)
	}
	for _, q := range kernel.Must(New(p, card, Options{})).Next(1 << 10) {
		if c := q.Choice(); c.Blocks == 0 || c.Cluster > 2 {
			t.Errorf("%+v", c)
		}
	}
}

// TestCutCards checks that clusters are whole on cards with fewer multiprocessors than the card of the table, whose
// numbers of clusters they get.
func TestCutCards(t *testing.T) {
	t.Parallel()
	for _, sms := range []int64{7, 78, 114} {
		for _, n := range []int64{2, 4} {
			card := Cards()[0]
			card.SMs = sms
			p := kernel.Must(New(Problem{M: 4096, N: 4096, K: 64, In: dtype.F16}, card, Options{Cluster: n}))
			if blocks := p.Choice().Blocks; blocks%n != 0 || blocks > sms {
				t.Errorf("%d multiprocessors have %d blocks in clusters of %d", sms, blocks, n)
			}
		}
	}
}

// TestBadProblems checks extents, layouts and alignments at their limits, and options that cannot be.
func TestBadProblems(t *testing.T) {
	t.Parallel()
	layouts := []string{
		"()", "1:0", "64:1", "(64,64):(0,1)", "(64,64):(1,0)", "(64,64):(0,0)", "(64,64):(1,1)", "(64,64):(2,1)", "(64,64):(1,2)",
		"(64,64):(-1,64)", "(64,64):(64,-1)", "(64,64):(100000000000000,1)", "(64,64):(1048577,1)", "((8,8),64):((64,512),1)",
		"(64,64,1):(64,1,0)", "(64,(8,8)):(64,(1,8))", "(64,65):(65,1)",
	}
	extents := []int64{0, -1, math.MinInt64, math.MaxInt64, MaxExtent, MaxExtent + 1, 1, 64}
	var problems []Problem
	for i := range 3 {
		for _, text := range layouts {
			p := Problem{M: 64, N: 64, K: 64, In: dtype.F16}
			*[]*cute.Layout{&p.A, &p.B, &p.D}[i] = cute.MustParse(text)
			problems = append(problems, p)
		}
		for _, n := range extents {
			p := Problem{M: 64, N: 64, K: 64, In: dtype.F16}
			*[]*int64{&p.M, &p.N, &p.K}[i] = n
			q := Problem{M: n, N: n, K: n, In: dtype.F16}
			r := Problem{M: 64, N: 64, K: 64, In: dtype.F16}
			*[]*int64{&r.AlignA, &r.AlignB, &r.AlignD}[i] = n
			problems = append(problems, p, q, r)
		}
	}
	for _, in := range append(dtype.All(), 0, 255) {
		for _, out := range append(dtype.All(), 0, 255) {
			problems = append(problems, Problem{M: 64, N: 64, K: 64, In: in, Out: out})
		}
		problems = append(problems, Problem{M: 64, N: 64, K: 64, In: dtype.F16, Epilogue: Epilogue{Add: in}})
	}
	var options []Options
	for _, n := range []int64{-1, 1, 2, 3, 7, 64, MaxExtent, math.MaxInt64, math.MinInt64} {
		options = append(options, Options{Tile: [3]int64{n, n, n}}, Options{Tile: [3]int64{64, n, 64}}, Options{Warpgroups: n},
			Options{Stages: n}, Options{Cluster: n}, Options{Split: n}, Options{Group: n})
	}
	options = append(options, Options{Roles: strings.Repeat("x", 1<<20)}, Options{Roles: "cooperative "})
	try := func(p Problem, o Options) {
		for _, card := range Cards() {
			plan, err := New(p, card, o)
			var e *cute.Error
			if (err == nil) != (plan != nil) || err != nil && (!errors.As(err, &e) || e.Code == "" || e.Msg == "") {
				t.Errorf("%+v, %+v: %v, %v", p, o, plan, err)
			}
			if err == nil {
				_ = plan.String()
				if _, err := plan.Kernel(); err != nil {
					t.Errorf("%+v, %+v: %v", p, o, err)
				}
			}
		}
	}
	for _, p := range problems {
		try(p, Options{})
	}
	for _, o := range options {
		try(Problem{M: 64, N: 64, K: 64, In: dtype.F16}, o)
	}
}
