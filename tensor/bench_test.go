package tensor_test

import (
	"fmt"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// of returns a tensor whose storage was written. Unwritten memory is a single page of zeros, and copying it is
// unrealistically fast.
func of[T int32 | float32](b *testing.B, l cute.Inner) (tensor.Tensor[T], []T) {
	b.Helper()
	n := int64(1 << 12)
	if x, ok := l.(cute.Layout); ok {
		n = must(x.Cosize())
	}
	data := make([]T, n)
	for i := range data {
		data[i] = T(i)
	}
	return must(tensor.Make(data, l)), data
}

// BenchmarkCopyRuns compares a copy of runs of some bytes with a loop of Go's copy over the same runs.
func BenchmarkCopyRuns(b *testing.B) {
	for _, bytes := range []int64{64, 68, 96, 128, 256, 512, 4096, 1 << 16} {
		run := bytes / 4
		n := (1 << 18) / bytes
		s, d := run+16, run+32
		src, from := of[float32](b, must(cute.New(cute.Ints(n, run), cute.Ints(s, 1))))
		dst, to := of[float32](b, must(cute.New(cute.Ints(n, run), cute.Ints(d, 1))))
		b.Run(fmt.Sprintf("bytes=%d/girih", bytes), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(bytes * n)
			for b.Loop() {
				if err := tensor.Copy(src, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("bytes=%d/memmove", bytes), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(bytes * n)
			for b.Loop() {
				for i := range n {
					copy(to[i*d:i*d+run], from[i*s:i*s+run])
				}
			}
		})
	}
}

// BenchmarkCopyFound compares copies whose 64-byte runs must be found, through a swizzle or where extents have no
// common refinement, with a loop of Go's copy over the same number of runs.
func BenchmarkCopyFound(b *testing.B) {
	swizzled := must(cute.NewComposed(must(cute.NewSwizzle(3, 4, 3)), cute.Int(0), parse("(64,128):(128,1)")))
	for _, c := range []struct {
		name string
		a, b cute.Inner
	}{
		{"swizzled", parse("(64,128):(128,1)"), swizzled},
		{"refined", parse("(32,6,128):(1,100,640)"), parse("(48,4,128):(1,60,300)")},
	} {
		src, from := of[float32](b, c.a)
		dst := must(tensor.Alloc[float32](c.b))
		to := make([]float32, len(from))
		b.Run(c.name+"/girih", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(4 * src.Size())
			for b.Loop() {
				if err := tensor.Copy(src, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/memmove", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(4 * src.Size())
			for b.Loop() {
				for i := int64(0); i < src.Size(); i += 16 {
					copy(to[i:i+16], from[i:i+16])
				}
			}
		})
	}
}

// BenchmarkTranspose compares a transpose of 4096x4096 floats with double loops that go along the source and along the
// destination, and with copying as much memory.
func BenchmarkTranspose(b *testing.B) {
	const n = 4096
	src, from := of[float32](b, must(cute.New(cute.Ints(n, n), cute.Ints(n, 1))))
	dst, to := of[float32](b, must(cute.New(cute.Ints(n, n), cute.Ints(1, n))))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("girih/workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(4 * n * n)
			for b.Loop() {
				if err := tensor.Copy(src, dst, tensor.Workers(workers)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("naive/along=source", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(4 * n * n)
		for b.Loop() {
			for i := range n {
				for j := range n {
					to[i+j*n] = from[i*n+j]
				}
			}
		}
	})
	b.Run("naive/along=destination", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(4 * n * n)
		for b.Loop() {
			for j := range n {
				for i := range n {
					to[i+j*n] = from[i*n+j]
				}
			}
		}
	})
	b.Run("memmove", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(4 * n * n)
		for b.Loop() {
			copy(to, from)
		}
	})
}

// BenchmarkCopyKinds measures the other kinds of copies.
func BenchmarkCopyKinds(b *testing.B) {
	swizzled := must(cute.NewComposed(must(cute.NewSwizzle(3, 3, 3)), cute.Int(0), parse("(64,64):(64,1)")))
	for _, c := range []struct {
		name string
		a, b cute.Inner
	}{
		{"registers", parse("(8,4):(1,8)"), parse("(8,4):(4,1)")},
		{"one run", parse("4096:1"), parse("4096:1")},
		{"to swizzled", parse("(64,64):(64,1)"), swizzled},
		{"no refinement", parse("(32,48):(48,1)"), parse("(48,32):(32,1)")},
		{"broadcast", parse("(64,64):(0,1)"), parse("(64,64):(64,1)")},
		{"gather", parse("4096:3"), parse("4096:1")},
	} {
		src, _ := of[float32](b, c.a)
		dst := must(tensor.Alloc[float32](c.b))
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(4 * src.Size())
			for b.Loop() {
				if err := tensor.Copy(src, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkElements measures access to one element, and iteration over all.
func BenchmarkElements(b *testing.B) {
	x, _ := of[float32](b, parse("((4,16),64):((1,256),4)"))
	b.Run("at", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := x.At(33, 17); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("values/4096", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sum := float32(0)
			for v := range x.Values() {
				sum += v
			}
		}
	})
	codes := must(tensor.AllocPacked(dtype.E2M1, parse("(64,64):(64,1)")))
	b.Run("packed/4096", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sum := uint64(0)
			for v := range codes.Values() {
				sum += v
			}
		}
	})
	b.Run("axpby/4096", func(b *testing.B) {
		b.ReportAllocs()
		y := must(tensor.MakeLike[float32](x))
		for b.Loop() {
			if err := tensor.Axpby(2, x, 1, y); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("partition", func(b *testing.B) {
		b.ReportAllocs()
		threads := parse("(8,4)")
		for b.Loop() {
			if _, err := x.LocalPartition(threads, 13); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("slice", func(b *testing.B) {
		b.ReportAllocs()
		c := coord("(_,13)")
		for b.Loop() {
			if _, err := x.Slice(c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGemm measures a product of 64x64x64, scalar by scalar.
func BenchmarkGemm(b *testing.B) {
	a, _ := of[float32](b, parse("(64,64):(64,1)"))
	c := must(tensor.Alloc[float32](parse("(64,64)")))
	b.ReportAllocs()
	for b.Loop() {
		if err := tensor.Gemm(tensor.MulAdd[float32](), c, a, a, c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSlice slices one of many tiles, as the loop of a kernel does.
func BenchmarkSlice(b *testing.B) {
	x := must(tensor.Alloc[float32](parse("(128,8,64):(1,128,1024)")))
	tile := coord("(_,_,3)")
	b.Run("coordinate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = x.Slice(tile)
		}
	})
	b.Run("made", func(b *testing.B) {
		b.ReportAllocs()
		k := int64(0)
		for b.Loop() {
			_, _ = x.Slice(cute.MakeCoord(cute.Open, cute.Open, cute.At(k&63)))
			k++
		}
	})
	b.Run("swizzled", func(b *testing.B) {
		y := must(tensor.Alloc[float32](composed("Sw<2,2,3>", "0", "(128,8,64):(1,128,1024)")))
		b.ReportAllocs()
		for b.Loop() {
			_, _ = y.Slice(tile)
		}
	})
}
