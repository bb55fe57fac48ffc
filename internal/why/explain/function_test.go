package explain

import (
	"strings"
	"testing"

	"girih/cute"
)

// TestFunctionExplained checks that explanations of composed layouts as functions contain the digits that pass, the
// chain in reverse order, and a check of the definition.
func TestFunctionExplained(t *testing.T) {
	t.Parallel()
	w, err := cute.NewSwizzle(3, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	tile, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))"))
	if err != nil {
		t.Fatal(err)
	}
	small, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	if err != nil {
		t.Fatal(err)
	}
	left, err := tile.LeftInverse()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		op          Operation
		said, check string
	}{
		{operation("left_inverse", left, nil, tile), "The rest is a table of 512 values", "R(A(i)) = i at 1024 of 24576 indices"},
		{operation("inverse", left, nil, tile), "taken back from the outside", "A(R(i)) = i"},
		{operation("complement", cute.MustParse("2:24576"), nil, tile, cute.Int(49152)), "the set of values alone", "the 49152 sums"},
		{operation("image", cute.Int(0), nil, tile), "multiples of 512 pass: (16,3):(512,8192)", ""},
		{operation("max_common_vector", cute.Int(8), nil, small, cute.MustParse("(8,64):(64,1)")), "Vectors of 16 do not", "64 vectors of 8 elements"},
	} {
		x := Explain(tt.op)
		text := x.Rule
		for _, s := range x.Steps {
			text += "\n" + s.Say + strings.Join(s.Lines, "\n")
		}
		if !strings.Contains(text, tt.said) || !strings.Contains(x.Check, tt.check) {
			t.Errorf("%s: %s\ncheck %q, want %q and %q", tt.op.Expr(), text, x.Check, tt.said, tt.check)
		}
	}
}
