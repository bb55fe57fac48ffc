package diagnose

import (
	"strings"
	"testing"
)

// TestTrimmed reads messages without the text before and after them. It checks that each message is known, and that its
// finding gives a condition or a missing value.
func TestTrimmed(t *testing.T) {
	t.Parallel()
	for text, op := range map[string]string{
		"TiledCopy uses too few vals for selected CopyAtom":                                                               "make_tiled_copy",
		`static assertion failed with "TiledCopy uses too few vals for selected CopyAtom"`:                                "make_tiled_copy",
		`error: static assertion failed: TiledCopy uses too few vals for selected CopyAtom`:                               "make_tiled_copy",
		`static_assert(size<1>(LayoutCopy_TV{}) % AtomNumVal == 0, "TiledCopy uses too few vals for selected CopyAtom");`: "make_tiled_copy",
		"E   AssertionError: static_assert failed \"Static shape_div failure\"":                                           "shape_div",
		"Static shape_div failure":                     "shape_div",
		"Non-injective Layout detected in complement.": "complement",
		"Copy_Traits: src failed to vectorize into registers. Layout is incompatible with this CopyOp.": "copy",
		"AssertionError: curr_shape % rest_stride == 0 or rest_stride % curr_shape == 0":                "composition",
		"    assert curr_shape % rest_stride == 0 or rest_stride % curr_shape == 0":                     "composition",
		"assert len(shape) == len(stride)":                                                              "Layout",
		"ValueError: unable to compute the following composition: (2,3):(4,1) o (3,4):(3,1)":            "composition",
		"unable to compute the following composition: '(2,3):(4,1)' o '(3,4):(3,1)'":                    "composition",
		"unable to compute the following logical_divide: (2,3):(4,1) o 4:1":                             "logical_divide",
		"warp_m % 16 == 0 is false":                               "T.gemm",
		"Check failed: warp_m % 16 == 0: warp_m = 8":              "T.gemm",
		"expects pred compatible with (1,(3)) but got (1,(2,3))":  "copy",
		"static assertion failed: Mismatched Ranks":               "",
		"Mismatched Ranks":                                        "",
		`static_assert failed "something that nobody wrote down"`: "",
	} {
		r, err := Read(text, nil)
		if err != nil || len(r.Findings) != 1 {
			t.Errorf("%q: %d findings, %v", text, len(r.Findings), err)
			continue
		}
		f := r.Findings[0]
		if f.Op != op || f.Condition == "" && len(f.Missing) == 0 && f.Fact == "" {
			t.Errorf("%q: operation %q, condition %q, missing %q, want the operation %q", text, f.Op, f.Condition, f.Missing, op)
		}
	}
	for _, text := range []string{
		"12:30:05 worker 3 is done", "the ranks do not match", "static assertions are off", "he expects nothing but got rich",
		"a layout is a function",
	} {
		if r, err := Read(text, nil); err != nil || len(r.Findings) > 0 {
			t.Errorf("%q: %+v, %v", text, r.Findings, err)
		}
	}
}

// TestOneLine reads messages that lost their line breaks, with and without the place of the error.
func TestOneLine(t *testing.T) {
	t.Parallel()
	const text = `error: static assertion failed with "Shape Divisibility Condition" instantiation of "auto cute::composition(const ` +
		`cute::Layout<cute::tuple<cute::C<6>, cute::C<2>>, cute::tuple<cute::C<1>, cute::C<7>>> &, const cute::Layout<cute::C<4>, cute::C<4>> &)"`
	const during = `/cute/layout.hpp(1087): error: static assertion failed with "Shape Divisibility Condition" detected during: instantiation of ` +
		`"auto cute::composition_impl(const LShape &, const LStride &, const RShape &, const RStride &) [with LShape=cute::tuple<cute::C<6>, ` +
		`cute::C<2>>, LStride=cute::tuple<cute::C<1>, cute::C<7>>, RShape=cute::C<4>, RStride=cute::C<4>]" at line 1100 instantiation of "auto f()" at line 12 of t.cu`
	for _, text := range []string{text, during} {
		r, err := Read(text, nil)
		if err != nil || len(r.Findings) != 1 {
			t.Fatalf("%d findings, %v: %s", len(r.Findings), err, text)
		}
		if f := r.Findings[0]; f.Op != "composition" || f.Expr != "(6,2):(1,7) o 4:4" || f.Message != "Shape Divisibility Condition" {
			t.Errorf("%q %q of %q", f.Op, f.Expr, f.Message)
		}
	}
}

// vals is nvcc's output for a TiledCopy, beginning at the assertion's message.
const vals = `static assertion failed with "TiledCopy uses too few vals for selected CopyAtom"
          detected during:
            instantiation of class "cute::TiledCopy<Copy_Atom, LayoutCopy_TV, ShapeTiler_MN> [with Copy_Atom=cute::Copy_Atom<cute::SM75_U32x4_LDSM_N, cutlass::half_t>, LayoutCopy_TV=cute::Layout<cute::tuple<cute::tuple<cute::_4, cute::_8, cute::_2>, cute::tuple<cute::_2, cute::_2>>, cute::tuple<cute::tuple<cute::C<32>, cute::_1, cute::_8>, cute::tuple<cute::_16, cute::C<128>>>>, ShapeTiler_MN=cute::tuple<cute::_16, cute::_16>]" at line 430
`

// TestFewValues checks that the repairs offered for a TiledCopy are operations that fit.
func TestFewValues(t *testing.T) {
	t.Parallel()
	for _, head := range []string{"", "copy_atom.hpp(183): error: "} {
		r, err := Read(head+vals, nil)
		if err != nil || len(r.Findings) != 1 {
			t.Fatalf("%d findings, %v", len(r.Findings), err)
		}
		names := ""
		for _, x := range r.Findings[0].Repairs {
			name, _, _ := strings.Cut(x.Say, " ")
			names += name + " "
			if !strings.HasPrefix(x.Expr, "fits(") || x.Result != "true" {
				t.Errorf("%s: %s = %s", x.Say, x.Expr, x.Result)
			}
		}
		if names != "SM75_U32x2_LDSM_N SM75_U16x4_LDSM_T " {
			t.Errorf("the repairs are %s", names)
		}
	}
}
