package kernel_test

import (
	"context"
	"slices"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestAlias checks that operations between views of one fragment read each element before it is stored: they do what
// they do between two fragments.
func TestAlias(t *testing.T) {
	t.Parallel()
	one := func(v kernel.Value) kernel.Value { return v }
	turned := []float64{0, 2, 1, 3}
	for _, tt := range []struct {
		name string
		do   func(k *kernel.K, r kernel.Tensor)
		want []float64
	}{
		{"copy", func(k *kernel.K, r kernel.Tensor) { k.Copy(r, k.Transposed(r)) }, turned},
		{"copy_if", func(k *kernel.K, r kernel.Tensor) { k.CopyIf(r, k.Transposed(r)) }, turned},
		{"copy_zfill", func(k *kernel.K, r kernel.Tensor) { k.CopyZfill(r, k.Transposed(r)) }, turned},
		{"copy_pred", func(k *kernel.K, r kernel.Tensor) {
			k.CopyPred(func(kernel.Index) kernel.Cond { return kernel.Cond{} }, r, k.Transposed(r))
		}, turned},
		{"transform", func(k *kernel.K, r kernel.Tensor) { k.Transform(r, k.Transposed(r), one) }, turned},
		{"transform2", func(k *kernel.K, r kernel.Tensor) {
			k.Transform2(k.Transposed(r), r, r, kernel.Value.Add)
		}, []float64{0, 3, 3, 6}},
		{"a shift", func(k *kernel.K, r kernel.Tensor) {
			k.Copy(k.Slice(r, kernel.Open, kernel.Int(0)), k.Slice(r, kernel.Open, kernel.Int(1)))
		}, []float64{0, 1, 0, 1}},
	} {
		for _, typ := range []dtype.Type{dtype.F32, dtype.F16, dtype.F64} {
			found, err := inRegisters(typ, tt.do)
			if err != nil || !slices.Equal(found, tt.want) {
				t.Errorf("%s of %v: found %v, expected %v, %v", tt.name, typ, found, tt.want, err)
			}
		}
	}
	k, err := kernel.Trace("k", 1, func(k *kernel.K) {
		k.Grid(kernel.Int(1))
		r := k.MakeFragment(dtype.F32, cute.MustParse("(2,2):(1,2)"))
		k.Clear(r)
		k.Copy(r, k.Transposed(r))
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.CuTe(); err == nil {
		t.Error("the text would store elements before it reads them")
	}
	// C += A·Bᵀ for A = B = C = (0,2; 1,3), by rows.
	found, err := inRegisters(dtype.F32, func(k *kernel.K, r kernel.Tensor) { k.Gemm(r, r, r) })
	if want := []float64{4, 7, 8, 13}; err != nil || !slices.Equal(found, want) {
		t.Errorf("gemm: found %v, expected %v, %v", found, want, err)
	}
}

// inRegisters runs do on a fragment (2,2):(1,2) of the elements 0, 1, 2 and 3, and returns its elements.
func inRegisters(typ dtype.Type, do func(k *kernel.K, r kernel.Tensor)) ([]float64, error) {
	k, err := kernel.Trace("k", 1, func(k *kernel.K) {
		x := k.GlobalLayout("x", typ, cute.MustParse("(2,2):(1,2)"))
		r := k.MakeFragmentLike(x, typ)
		k.Copy(x, r)
		do(k, r)
		k.Copy(r, x)
	})
	if err != nil {
		return nil, err
	}
	x := []float64{0, 1, 2, 3}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x}})
	return x, err
}

// TestAliasOfProducts checks that a tiled product whose A is a view of its accumulators reads A first.
func TestAliasOfProducts(t *testing.T) {
	t.Parallel()
	found, err := inRegisters(dtype.F32, func(k *kernel.K, r kernel.Tensor) {
		mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("UniversalFMA<float>")), cute.MustParse("1:0"), nil))
		thr := k.ThrMMA(mma, kernel.Int(0))
		k.GemmTiled(mma, thr.PartitionA(r), thr.PartitionB(r), thr.PartitionC(r))
	})
	if want := []float64{4, 7, 8, 13}; err != nil || !slices.Equal(found, want) {
		t.Errorf("found %v, expected %v, %v", found, want, err)
	}
}
