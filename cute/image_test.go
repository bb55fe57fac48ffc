package cute_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
)

// checkImage compares the image and the holes with the definition.
func checkImage(t *rapid.T) {
	m := drawModel(t)
	a := m.layout(t)
	image, err := cute.Image(a)
	holes, err2 := cute.Holes(a)
	if a.HasBasis() {
		if codeOf(err) != cute.CodeCodomain || codeOf(err2) != cute.CodeCodomain {
			t.Fatalf("image(%v): %v; holes: %v", a, err, err2)
		}
		return
	}
	if err != nil || err2 != nil {
		t.Fatalf("image(%v): %v; holes: %v", a, err, err2)
	}
	reached := map[int64]bool{}
	for _, o := range m.offsets() {
		reached[o[0]] = true
	}
	least, span := m.box()
	var want, missing []int64
	for x := least[0]; x < least[0]+span[0]; x++ {
		if reached[x] {
			want = append(want, x)
		} else {
			missing = append(missing, x)
		}
	}
	if !slices.Equal(image, want) || !slices.Equal(holes, missing) {
		t.Fatalf("%v: image %v, holes %v; expected %v, %v", a, image, holes, want, missing)
	}
}

func TestImage(t *testing.T) { rapid.Check(t, checkImage) }
func FuzzImage(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkImage)) }

// TestImageFarApart takes the way through enumeration: few offsets over a large span.
func TestImageFarApart(t *testing.T) {
	t.Parallel()
	const far = 1 << 60
	for _, c := range []struct{ s, d, want []int64 }{
		{[]int64{2, 2}, []int64{far, -far}, []int64{-far, 0, far}},
		{[]int64{3, 2}, []int64{-far, 7}, []int64{-2 * far, -2*far + 7, -far, -far + 7, 0, 7}},
		{[]int64{math.MaxInt64 / 2, 2}, []int64{0, far}, []int64{0, far}},
	} {
		a := flatLayout(t, c.s, c.d)
		if got, err := cute.Image(a); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("image(%v) = %v, %v; expected %v", a, got, err, c.want)
		}
		if holes, err := cute.Holes(a); codeOf(err) != cute.CodeLimit {
			t.Errorf("holes(%v) = %d numbers, %v; expected limit", a, len(holes), err)
		}
	}
}

func TestImageLimits(t *testing.T) {
	t.Parallel()
	huge := flatLayout(t, []int64{1 << 32}, []int64{2})
	if _, err := cute.Image(huge); codeOf(err) != cute.CodeLimit {
		t.Errorf("image(%v): %v", huge, err)
	}
	if _, err := cute.Holes(huge); codeOf(err) != cute.CodeLimit {
		t.Errorf("holes(%v): %v", huge, err)
	}
	// Many coordinates over a short span, and no holes in a long one.
	dense := flatLayout(t, []int64{1 << 20, 1 << 20, 1 << 20}, []int64{1, 1, -1})
	if got, err := cute.Image(dense); err != nil || len(got) != 3<<20-2 {
		t.Errorf("image(%v) has %d numbers, %v", dense, len(got), err)
	}
	full := flatLayout(t, []int64{1 << 31, 1 << 31}, []int64{-(1 << 31), 1})
	if got, err := cute.Holes(full); err != nil || len(got) != 0 {
		t.Errorf("holes(%v) = %d numbers, %v", full, len(got), err)
	}
}
