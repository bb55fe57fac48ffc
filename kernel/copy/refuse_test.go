package copy_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/kernel/copy"
)

// sideOf parses a layout, or a swizzle, an offset and a layout.
func sideOf(t *testing.T, text string) cute.Inner {
	t.Helper()
	parts := strings.SplitN(text, " o ", 3)
	l := cute.MustParse(parts[len(parts)-1])
	if len(parts) == 1 {
		return l
	}
	w, err := cute.ParseSwizzle(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	o, err := cute.ParseTuple(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, o, l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRefused checks that each refusal has a code and numbers, and that the copy can be planned after the refusal's
// repair.
func TestRefused(t *testing.T) {
	t.Parallel()
	type try struct {
		src, dst string
		o        copy.Options
	}
	ones := func(n int, stride string) string { // modes that cannot be joined
		shape, strides, x := "", "", int64(1)
		for i := range n {
			if i > 0 {
				shape, strides = shape+",", strides+","
			}
			shape += "2"
			strides += map[bool]string{true: cute.Int(x).String(), false: cute.Int(1 << 20 >> x).String()}[stride == "up"]
			x *= 3
		}
		return "(" + shape + "):(" + strides + ")"
	}
	for _, c := range []struct {
		bad  try
		code cute.Code
		says string
		good try // the repair
	}{
		{try{src: "4:1", dst: "5:1"}, cute.CodeNotCongruent, "found 5 and 4", try{src: "5:1", dst: "5:1"}},
		{
			try{src: "(4,2):(2,1)", dst: "(4,2):(1,3)"},
			cute.CodeNotInjective, "(3,0) and (0,1) are at 3",
			try{src: "(4,2):(2,1)", dst: "(4,2):(1,4)"},
		},
		{
			try{src: "(4,2):(2,1)", dst: "(4,2):(1,0)"},
			cute.CodeNotInjective, "(0,0) and (0,1) are at 0",
			try{src: "(4,2):(1,0)", dst: "(4,2):(1,4)"},
		},
		{try{src: "4:1@0", dst: "4:1"}, cute.CodeCodomain, "coordinates", try{src: "4:1", dst: "4:1"}},
		{
			try{src: "Sw<1,0,1> o 0 o 4:-1", dst: "4:1"},
			cute.CodeNegative, "from -3 on",
			try{src: "Sw<1,0,1> o 3 o 4:-1", dst: "4:1"},
		},
		{
			try{src: "4:1", dst: "Sw<1,0,1> o 2 o 4:-1"},
			cute.CodeNegative, "from -1 on",
			try{src: "4:1", dst: "Sw<1,0,1> o 3 o 4:-1"},
		},
		{
			try{src: "2:36028797018963968", dst: "2:1"},
			cute.CodeOverflow, "more than",
			try{src: "2:1125899906842624", dst: "2:1"},
		},
		{
			try{src: "2:1", dst: "2:9000000000000000000"},
			cute.CodeOverflow, "9000000000000000000",
			try{src: "2:1", dst: "2:1"},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{Bytes: 3}},
			cute.CodeType, "found 3",
			try{src: "12:1", dst: "12:1", o: copy.Options{Bytes: 1}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{Bytes: 4, SrcBytes: 2}},
			cute.CodeType, "2 bytes in the source and 4",
			try{src: "8:1", dst: "8:1", o: copy.Options{Bytes: 2, SrcBytes: 2}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{SrcAlign: 3}},
			cute.CodeExtent, "found 3",
			try{src: "4:1", dst: "4:1", o: copy.Options{SrcAlign: 2}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{DstAlign: 8192}},
			cute.CodeExtent, "up to 4096",
			try{src: "4:1", dst: "4:1", o: copy.Options{DstAlign: 4096}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{Vector: 32}},
			cute.CodeExtent, "found 32",
			try{src: "4:1", dst: "4:1", o: copy.Options{Vector: 16}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{Threads: 2048}},
			cute.CodeExtent, "found 2048",
			try{src: "4:1", dst: "4:1", o: copy.Options{Threads: 1024}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{Tile: 16}},
			cute.CodeExtent, "found 16",
			try{src: "4:1", dst: "4:1", o: copy.Options{Tile: 32}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{Way: "tma"}},
			cute.CodeName, "tma",
			try{src: "4:1", dst: "4:1", o: copy.Options{Way: copy.Rows}},
		},
		{
			try{src: "4:1", dst: "4:1", o: copy.Options{Order: "up"}},
			cute.CodeName, "up",
			try{src: "4:1", dst: "4:1", o: copy.Options{Order: copy.AlongSrc}},
		},
		{
			try{src: ones(13, "up"), dst: "8192:1"},
			cute.CodeLimit, "13 joint modes",
			try{src: ones(12, "up"), dst: "4096:1"},
		},
	} {
		_, err := copy.New(sideOf(t, c.bad.src), sideOf(t, c.bad.dst), c.bad.o)
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || e.Code != c.code || !strings.Contains(e.Msg, c.says) {
			t.Errorf("%+v: %v, expected %s and %q", c.bad, err, c.code, c.says)
			continue
		}
		if e.Hint == "" && c.code != cute.CodeExtent && c.code != cute.CodeName { // those say what is allowed
			t.Errorf("%+v: %v has no repair", c.bad, err)
		}
		if c.code == cute.CodeNotInjective && e.Witness == nil {
			t.Errorf("%+v: %v has no witness", c.bad, err)
		}
		if _, err := copy.New(sideOf(t, c.good.src), sideOf(t, c.good.dst), c.good.o); err != nil {
			t.Errorf("the repair %+v of %+v: %v", c.good, c.bad, err)
		}
	}
}

// TestNoPanic checks that each copy with extreme extents, strides and options is refused or has a kernel.
func TestNoPanic(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	numbers := []int64{0, 1, 2, 3, 7, 16, 31, 1 << 20, 1<<31 - 1, 1 << 33, 1 << 52, 1<<62 - 1}
	pick := func() int64 { return numbers[rng.IntN(len(numbers))] }
	planned := 0
	for range 3000 {
		var ls [2]cute.Inner
		n := 1 + rng.IntN(3)
		shape := make([]int64, n)
		for i := range shape {
			shape[i] = max(pick(), 1)
		}
		for i := range ls {
			stride := make([]int64, n)
			for j := range stride {
				if stride[j] = pick(); rng.IntN(3) == 0 {
					stride[j] = -stride[j]
				}
			}
			if l, err := cute.New(cute.Ints(shape...), cute.Ints(stride...)); err == nil {
				ls[i] = l
			}
		}
		if ls[0] == nil || ls[1] == nil {
			continue
		}
		o := copy.Options{Bytes: pick() % 20, SrcAlign: pick() % 300, DstAlign: pick() % 300, Threads: pick() % 1100}
		p, err := copy.New(ls[0], ls[1], o)
		if e, ok := errors.AsType[*cute.Error](err); err != nil && (!ok || e.Code == "") {
			t.Fatalf("%v to %v under %+v: %v", ls[0], ls[1], o, err)
		}
		if err == nil {
			planned++
			if _, err := p.Kernel(); err != nil {
				t.Fatalf("%v to %v under %+v: %v", ls[0], ls[1], o, err)
			}
		}
	}
	if planned < 3 {
		t.Errorf("only %d were planned", planned)
	}
}
