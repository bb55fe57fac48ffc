package entry_test

import (
	"strings"
	"testing"

	"girih/internal/machine/entry"
	"girih/ptx"
)

func module(t *testing.T, names ...string) *ptx.Module {
	t.Helper()
	src := ".version 8.0\n.target sm_90\n.address_size 64\n"
	for _, n := range names {
		src += ".visible .entry " + n + "() { ret; }\n"
	}
	m, err := ptx.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const (
	float  = "_Z9transposeIfLi32ELb0EEvPKT_PS0_ii"
	double = "_Z9transposeIdLi32ELb0EEvPKT_PS0_ii"
	gemm   = "_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalIN4cute5tupleIJiiiiEEEEEEEvNT_6ParamsE"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"k", "k", "k"},
		{"", "", ""},
		{"_Z", "_Z", "_Z"},
		{"_Z3addPfi", "add(float*, int)", "add"},
		{float, "void transpose<float, 32, false>(float const*, float*, int, int)", "transpose<float, 32, false>"},
		{gemm, "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int, int> > >" +
			"(cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int, int> >::Params)", "cutlass::device_kernel<...>"},
	} {
		if k := entry.Of(c[0]); k != (entry.Kernel{Name: c[0], Full: c[1], Short: c[2]}) {
			t.Errorf("%q is %+v", c[0], k)
		}
	}
	deep := "_Z" + strings.Repeat("N", 1<<16)
	if k := entry.Of(deep); k.Short != deep {
		t.Errorf("a name that is none is %.40q", k.Short)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	several := module(t, "first", "second", float, double, gemm, "_Z3addPfi", "_Z3addPdi", "_Z6addAllv")
	for what, want := range map[string]string{
		"first": "first", "sec": "second", "2": "second", "3": float, "transpose<double": double, "IdLi32": double,
		"device_kernel": gemm, "addAll": "_Z6addAllv",
		"transpose<float, 32, false>":                                      float,
		"void transpose<float, 32, false>(float const*, float*, int, int)": float,
	} {
		if k, err := entry.Find(several, what); err != nil || k.Name != want {
			t.Errorf("%q finds %q, %v", what, k.Name, err)
		}
	}
	for what, want := range map[string]string{
		"":          "entry: the PTX has 8 kernels, name one by a part of its name or its number:\n  1 first\n  2 second\n  3 transpose<float, 32, false>\n",
		"transpose": "entry: \"transpose\" is in the names of 2 kernels, name one or its number:\n  3 transpose<float, 32, false>\n  4 transpose<double, 32, false>",
		"add":       "entry: \"add\" is in the names of 3 kernels, name one or its number:\n  6 add (_Z3addPfi)\n  7 add (_Z3addPdi)\n  8 addAll",
		"nothing":   "entry: the PTX has no kernel \"nothing\": there are\n  1 first\n",
		"9":         "entry: expected a number from 1 to 8, found 9:\n  1 first\n",
	} {
		if _, err := entry.Find(several, what); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", what, err)
		}
	}
	if k, err := entry.Find(module(t, gemm), ""); err != nil || k.Name != gemm {
		t.Errorf("the only one is %q, %v", k.Name, err)
	}
	if _, err := entry.Find(module(t), ""); err == nil || err.Error() != "entry: the PTX has no kernel" {
		t.Errorf("of none: %v", err)
	}
}
