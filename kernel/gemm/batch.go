package gemm

import (
	"girih/cute"
	"girih/kernel"
	"girih/symbolic"
)

// This file has several products of one shape: each matrix has a third mode, a stride from product to product. The
// blocks are persistent and take the tiles of all products in turn, so that no product leaves multiprocessors idle.

// maxBatch is the largest stride from product to product, in elements: a tensor map has strides up to 2^40 bytes.
const maxBatch = 1 << 37

// maxTiles limits the blocks of all products, up to 8 for a tile: their numbers have 31 bits.
const maxTiles = 1 << 30

// A place is a tile of D: its row and its column in tiles, its product, and its number in the product. A tile of a
// group has its number as batch, its first row and its rows, and the row is counted from there.
type place struct{ row, column, batch, number, from, size kernel.Index }

// layoutOf returns a layout of two modes, or of three if the third extent is not 0.
func layoutOf(shape, stride []int64) (cute.Layout, error) {
	n := 3
	if shape[2] == 0 {
		n = 2
	}
	return cute.New(cute.Ints(shape[:n]...), cute.Ints(stride[:n]...))
}

// overlap returns a product that has a place of product 0, and 0 if there is none. A product has rows of run elements.
func (x *matrix) overlap(run, rows, products int64) int64 {
	for i := int64(1); i < products; i++ {
		at := i * x.batch
		row := min(at/x.ld, rows-1) // the last row that begins before the product does
		if at-row*x.ld < run || row+1 < rows && (row+1)*x.ld-at < run {
			return i
		}
	}
	return 0
}

// separate reports whether a matrix has a third mode.
func (x *matrix) separate() bool { return x.batch > 0 }

// modes declares the strides of a matrix, and returns its extents and strides in the order of the kernel: its leading
// dimension and its stride from product to product are multiples of per elements.
func (x *matrix) modes(k *kernel.K, per int64, extents [3]kernel.Index) (shape, strides []kernel.Index) {
	ld, one := k.Int("ld"+x.name, extent(per)), kernel.Int(1)
	if shape, strides = extents[:2], []kernel.Index{ld, one}; x.major != 0 {
		strides = []kernel.Index{one, ld}
	}
	if x.separate() {
		shape, strides = extents[:], append(strides, batchStride(k, x.name, per))
	}
	return shape, strides
}

// batchStride declares a stride from product to product.
func batchStride(k *kernel.K, name string, per int64) kernel.Index {
	return k.Int64("batch"+name, symbolic.Facts{Min: per, Max: maxBatch, Div: per})
}

// of returns a product of a matrix.
func (x *matrix) of(k *kernel.K, t kernel.Tensor, batch kernel.Index) kernel.Tensor {
	if !x.separate() {
		return t
	}
	return k.Slice(t, kernel.Open, kernel.Open, batch)
}
