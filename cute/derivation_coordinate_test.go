package cute_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

func TestCoordinateDerivations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkCoordinateDerivations)
}

// checkCoordinateDerivations holds what evaluations, slices, conversions of coordinates and relations of shapes take
// down to what they return.
func checkCoordinateDerivations(t *rapid.T) {
	a := anyLayouts().Draw(t, "a")
	c := gen.WeakCoords(a.Shape()).Draw(t, "c")
	v, err := a.Eval(c)
	d, failed := cute.DeriveEval(a, c)
	wantValue(t, d, v, failed, err)
	if err == nil {
		wantTerms(t, d)
	}

	k := gen.SliceCoords(a.Shape()).Draw(t, "k")
	r, off, err := a.SliceAndOffset(k)
	d, failed = cute.DeriveSlice(a, k)
	wantValue(t, d, off, failed, err)
	if err == nil && !d.Result.Equal(r) {
		t.Fatalf("%v sliced at %v is %v, its steps lead to %v", a, k, r, d.Result)
	}

	f := gen.ComposedLayouts().Draw(t, "f")
	x := gen.WeakCoords(f.Shape()).Draw(t, "x")
	v, err = f.Eval(x)
	d, failed = cute.DeriveEval(f, x)
	wantValue(t, d, v, failed, err)
	if err == nil {
		wantStages(t, d, f)
	}

	b := gen.Layouts().Draw(t, "b").Shape()
	i, err := cute.Crd2Idx(c, a.Shape())
	deriveShape(t, cute.Int(i), err, "crd2idx", c, a.Shape())
	n := cute.Int(rapid.Int64Range(-100, 1000).Draw(t, "n"))
	crd, err := cute.Idx2Crd(n, b)
	deriveShape(t, crd, err, "idx2crd", n, b)
	crd, err = cute.Crd2Crd(c, a.Shape(), b)
	d, failed = cute.Derive("crd2crd", c, a.Shape(), b)
	wantValue(t, d, crd, failed, err)

	refined := rapid.SampledFrom([]cute.Tuple{b, a.Shape(), a.Stride(), c, cute.Int(a.Size())}).Draw(t, "refined")
	for name, f := range map[string]func(a, b cute.Tuple) bool{
		"compatible": cute.Compatible, "congruent": cute.Congruent, "weakly_congruent": cute.WeaklyCongruent,
	} {
		for _, p := range [][2]cute.Tuple{{refined, a.Shape()}, {a.Shape(), refined}} {
			d, err := cute.Derive(name, p[0], p[1])
			if err != nil || d.Holds != f(p[0], p[1]) {
				t.Fatalf("%s(%v, %v) is %v, its steps lead to %v, %v", name, p[0], p[1], f(p[0], p[1]), d.Holds, err)
			}
			if slices.ContainsFunc(d.Steps, func(s cute.Step) bool { return !s.(cute.Match).Holds }) == d.Holds {
				t.Fatalf("%s(%v, %v) is %v with the steps %v", name, p[0], p[1], d.Holds, d.Steps)
			}
		}
	}
}

// wantValue fails unless a derivation ends with the value, or with the error.
func wantValue(t *rapid.T, d *cute.Derivation, want cute.Tuple, failed, err error) {
	if !reflect.DeepEqual(failed, err) || d.OK != (err == nil) || d.OK && !d.To.Equal(want) {
		t.Fatalf("%s of %v at %v: the steps lead to %v, %v, the operation to %v, %v", d.Op, d.A, d.B, d.To, failed, want, err)
	}
}

// wantTerms fails unless the terms of an evaluation add up to its value, and its digits are those of its coordinate.
func wantTerms(t *rapid.T, d *cute.Derivation) {
	sum, digits := cute.Int(0), []int64{}
	for _, s := range d.Steps {
		for _, x := range s.(cute.Digits).Each {
			var err error
			if sum, err = sum.Add(x.Term); err != nil {
				t.Fatal(err)
			}
			digits = append(digits, x.Value)
		}
	}
	value, err := cute.ArithmeticTuple(d.To)
	if err != nil || !sum.Equal(value) || !slices.Equal(digits, d.From.Leaves()) || !cute.Congruent(d.From, d.A.Shape()) {
		t.Fatalf("%v at %v, which is %v: the terms make %v, the value is %v", d.A, d.B, d.From, sum, d.To)
	}
}

// wantStages fails unless each stage begins with what the one before ends with.
func wantStages(t *rapid.T, d *cute.Derivation, f cute.Composed) {
	var at cute.Tuple
	stages := 0
	for _, s := range d.Steps {
		switch s := s.(type) {
		case *cute.Derivation:
			at = s.To
		case cute.Stage:
			stages++
			sum, err := at.Add(s.Offset)
			if err != nil || !s.From.Equal(at) || !s.To.Equal(sum) {
				t.Fatalf("%v: the stage %+v after %v", f, s, at)
			}
			if _, ok := s.Outer.(cute.Swizzle); ok {
				y, _ := s.To.Int64()
				at = cute.Int(y ^ s.Moved)
			}
		}
	}
	for range f.Stages() {
		stages--
	}
	if stages != 0 || !at.Equal(d.To) {
		t.Fatalf("%v at %v is %v, the stages end with %v", f, d.B, d.To, at)
	}
}
