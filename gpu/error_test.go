package gpu

import (
	"errors"
	"testing"

	"girih/internal/card/cuda"
)

func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  Error
		want string
	}{
		{Error{Message: "no 7 bytes", Call: "cuMemAlloc_v2", Status: 2}, "no 7 bytes: cuMemAlloc_v2: status 2"},
		{Error{Call: "cuX", Name: "CUDA_ERROR_X", Text: "x", Log: "line 1"}, "cuX: CUDA_ERROR_X (x)\nline 1"},
		{Error{Message: "the device was closed"}, "the device was closed"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if err := failure(nil); err != nil {
		t.Errorf("no failure is the error %v", err)
	}
	if err := failure(&cuda.Failure{Code: OutOfMemory}); !errors.Is(err, OutOfMemory) {
		t.Errorf("%#v does not have its code", err)
	}
}

func TestTensorMapArguments(t *testing.T) {
	t.Parallel()
	d := &Device{} // no call uses this device
	for _, tt := range []Tensor{
		{},
		{Shape: make([]uint64, 6), Stride: make([]uint64, 5), Box: make([]uint32, 6)},
		{Shape: []uint64{8, 8}, Box: []uint32{8, 8}},
		{Shape: []uint64{8}, Box: []uint32{8, 8}},
		{Shape: []uint64{8}, Box: []uint32{8}, Step: []uint32{1, 1}},
		{Shape: []uint64{8}, Box: []uint32{8}, Promote: 100},
		{Shape: []uint64{8, 8}, Stride: []uint64{16}, Im2col: &Im2col{}},
		{Shape: []uint64{8, 8, 8}, Stride: []uint64{16, 128}, Im2col: &Im2col{Lower: make([]int32, 1)}},
	} {
		if _, err := d.TensorMap(tt); !errors.Is(err, Argument) {
			t.Errorf("%+v: got %v", tt, err)
		}
	}
}
