package tensor_test

import (
	"slices"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// TestPlaces divides a tensor of places by a tile that does not fit, and reads a storage at the places that remain.
func TestPlaces(t *testing.T) {
	t.Parallel()
	places, err := tensor.Places(12, 0, cute.MustParse("(4,3):(3,1)"))
	if err != nil {
		t.Fatal(err)
	}
	tile, err := places.LocalTile(cute.Ints(2, 2), cute.MustParseCoord("(1,1)"))
	if err != nil {
		t.Fatal(err)
	}
	if at := tensor.AppendPlaces(nil, tile); !slices.Equal(at, []int64{8, 11, tensor.NoPlace, tensor.NoPlace}) {
		t.Errorf("found the places %v", at)
	}
	data := []byte{0, 1, 2, 3, 4, 5, 6, 7, 80, 9, 10, 110}
	codes, err := tensor.PackedOver(tile, dtype.U8, data)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := codes.At(1); err != nil || x != 110 {
		t.Errorf("found %d, %v", x, err)
	}
	if _, err := codes.At(2); err == nil {
		t.Error("the padding has an element")
	}
	if _, err := tensor.PackedOver(tile, dtype.U8, data[:11]); err == nil {
		t.Error("a storage of 11 elements is taken for one of 12")
	}
	if _, err := tensor.Places(11, 0, cute.MustParse("(4,3):(3,1)")); err == nil {
		t.Error("12 elements are in a storage of 11")
	}
}
