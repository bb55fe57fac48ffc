package tensormap_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/internal/ints"
	"girih/tensormap"
)

// follow compares a plan with its definition: the instructions of a tile bring every element of it to the byte of
// shared memory where the layout has it, and nothing else.
func follow(t *testing.T, c tensormap.Copy, tile cute.Tuple) {
	t.Helper()
	p, err := tensormap.Make(c)
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	if err := p.Map.Err(); err != nil || len(p.Faults) > 0 {
		t.Fatalf("%v: %v %v", p.Map, err, p.Faults)
	}
	list, err := p.Issue(tile)
	if err != nil {
		t.Fatal(err)
	}
	landed, total := map[int64]tensormap.Landing{}, int64(0)
	for _, in := range list {
		landings, err := p.Map.Landings(tensormap.Start{Coord: in.Coord, Shared: in.Shared})
		if err != nil {
			t.Fatalf("%v at %v: %v", p.Map, in, err)
		}
		for l := range landings {
			landed[in.Shared*8+l.Shared] = l
			total++
		}
	}
	size, bits := c.Shared.Size(), c.Type.Bits()
	if total != size || p.Expect != size*bits/8 || int64(len(list)) != p.Instructions*max(c.Multicast, 1) {
		t.Fatalf("%v: %d elements landed, want %d; expect_tx %d, %d instructions", c, total, size, p.Expect, len(list))
	}
	extents, _ := cute.ProductEach(p.Tile.Shape())
	offsets, err := c.Shared.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range size {
		in, _ := cute.Idx2Crd(cute.Int(i), extents)
		coord := make([]cute.Tuple, 0, 5)
		inside := true
		for k, x := range in.Modes() {
			at, _ := x.Int64()
			n, _ := extents.Modes()[k].Int64()
			b, _ := tile.Modes()[k].Int64()
			coord = append(coord, cute.Int(at+n*b))
			mode, _ := c.Global.Mode(k)
			inside = inside && at+n*b < mode.Size()
		}
		at, _ := cute.MakeTuple(coord...)
		for at.Rank() < c.Global.Rank() {
			at, _ = at.AppendToRank(at.Rank()+1, cute.Int(0))
		}
		want, err := c.Global.Eval(at)
		if err != nil {
			t.Fatal(err)
		}
		w, _ := want.Int64()
		l, ok := landed[offsets[i]*bits]
		if !ok || l.Inside != inside || inside && l.Global != w*bits {
			t.Fatalf("%v %v: element %v of the tensor is %+v, want %d in %v", c.Global, c.Shared, at, l, w*bits, p.Map)
		}
	}
}

func composed(t *testing.T, w, l string) cute.Composed {
	t.Helper()
	if w == "" {
		return cute.MustParse(l).Composed()
	}
	s, err := cute.ParseSwizzle(w)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(s, cute.Int(0), cute.MustParse(l))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The tiles are from CuTe's own examples (the comment of make_tma_copy), from attention and from products.
func TestPlansAreFollowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		global, swizzle, shared, tile string
		t                             tensormap.Type
		multicast                     int64
	}{
		{"(1024,256):(256,1)", "", "(64,32):(32,1)", "(3,2)", tensormap.Float32, 1},
		{"(1024,256):(1,1024)", "Sw<3,2,3>", "((32,4),(8,8)):((1,256),(32,1024))", "(2,1)", tensormap.Float32, 1},
		{"(1024,32,512):(64,1,65536)", "", "(16,8,2):(16,1,8)", "(1,2,3)", tensormap.Float32, 1},
		{"((32,40),((8,8),656)):((1,32),((1280,10240),81920))", "", "(128,(32,2))", "(1,2)", tensormap.Float16, 1},
		{"(1024,512):(512,1)", "Sw<3,3,3>", "((8,16),(64,2)):((64,512),(1,8192))", "(7,1)", tensormap.Float16, 2},
		{"(1000,504):(504,1)", "Sw<3,3,3>", "(128,64):(64,1)", "(7,7)", tensormap.Float16, 4},
		{"(4000,128,8):(1024,1,128)", "Sw<3,3,3>", "(64,(64,2),1):(64,(1,4096),0)", "(62,0,5)", tensormap.BFloat16, 1},
		{"(512,256):(256,1)", "Sw<2,4,3>", "(64,64):(64,1)", "(1,1)", tensormap.UInt8, 1},
		{"(512,256):(256,1)", "Sw<1,4,3>", "(64,32):(32,1)", "(1,1)", tensormap.UInt8, 1},
		{"(100,64,3,2,4,5):(64,1,6400,19200,38400,153600)", "", "(8,16,1,1,1,1):(16,1,0,0,0,0)", "(2,1,1,1,2,3)", tensormap.Float16, 1},
	} {
		follow(t, tensormap.Copy{
			Global: cute.MustParse(c.global), Type: c.t, Shared: composed(t, c.swizzle, c.shared), Multicast: c.multicast,
		}, cute.MustParseTuple(c.tile))
	}
}

// Random tensors, tiles and types, with the layout of shared memory that SharedFor chooses.
func TestChosenLayoutsAreFollowed(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	types := []tensormap.Type{tensormap.UInt8, tensormap.Float16, tensormap.Float32, tensormap.Float64}
	for range 30 {
		rank := 1 + r.IntN(4)
		order := r.Perm(rank)
		typ := types[r.IntN(len(types))]
		unit := 128 / typ.Bits()
		shape, stride, tile, at := make([]cute.Tuple, rank), make([]cute.Tuple, rank), make([]int64, rank), int64(1)
		coord := make([]cute.Tuple, rank)
		for k, i := range order {
			n := 1 + r.Int64N(40)
			tile[i] = 1 + r.Int64N(6)
			stride[i] = cute.Int(at)
			if k == 0 {
				n = unit * (1 + r.Int64N(30))
				tile[i] = unit * (1 + r.Int64N(16))
			}
			at *= n + r.Int64N(2)*unit
			if k == 0 {
				at = ints.RoundUp(at, unit)
			}
			shape[i] = cute.Int(n)
			coord[i] = cute.Int(r.Int64N((n + tile[i] - 1) / tile[i]))
		}
		s, _ := cute.MakeTuple(shape...)
		d, _ := cute.MakeTuple(stride...)
		global, err := cute.New(s, d)
		if err != nil {
			t.Fatal(err)
		}
		var w *tensormap.Swizzle
		if r.IntN(3) == 0 {
			w = new(tensormap.Swizzle)
		}
		fitted, _, err := tensormap.Copy{Global: global, Type: typ}.Fit(tile, w)
		shared := fitted.Shared
		if err != nil {
			t.Fatal(err)
		}
		at2, _ := cute.MakeTuple(coord...)
		if p, err := tensormap.Make(tensormap.Copy{Global: global, Type: typ, Shared: shared}); err == nil &&
			(!p.Map.Legal() || len(p.Faults) > 0) {
			continue // a box of more than 256, or blocks that do not begin at multiples of 128 bytes
		}
		follow(t, tensormap.Copy{Global: global, Type: typ, Shared: shared}, at2)
	}
}

// The tensors have more modes than a map: a plan that is legal and has no faults is followed, whatever modes it joins.
func TestManyModes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	followed, faulty := 0, 0
	for range 400 {
		rank := 5 + r.IntN(3)
		shape, stride, tile, coord := make([]int64, rank), make([]int64, rank), make([]int64, rank), make([]int64, rank)
		at := int64(8)
		shape[0], stride[0], tile[0] = 8, 1, 8
		for i := 1; i < rank; i++ {
			shape[i], tile[i] = 2+r.Int64N(4), 1+r.Int64N(3)
			stride[i] = at
			at *= shape[i]
			if r.IntN(4) > 0 {
				at += 8 * (1 + r.Int64N(3))
			}
			if r.IntN(4) == 0 {
				tile[i] = 1
			}
			coord[i] = r.Int64N((shape[i] + tile[i] - 1) / tile[i])
		}
		global, err := cute.New(cute.Ints(shape...), cute.Ints(stride...))
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := tensormap.Copy{Global: global, Type: tensormap.Float16}.Fit(tile, new(tensormap.Swizzle))
		if err != nil {
			t.Fatal(err)
		}
		p, err := tensormap.Make(c)
		if err != nil {
			continue
		}
		if !p.Map.Legal() || len(p.Faults) > 0 {
			faulty++
			continue
		}
		follow(t, c, cute.Ints(coord...))
		followed++
	}
	if followed < 200 || faulty < 10 {
		t.Errorf("%d followed, %d faulty", followed, faulty)
	}
	for _, c := range []struct {
		global, tile string
		faults       int
	}{
		{"(8,2,2,2,2,4):(1,16,64,256,1024,4096)", "(8,2,2,2,2,1)", 0},
		{"(8,2,2,2,3,4):(1,16,64,256,1024,4096)", "(8,2,2,2,2,1)", 1}, // the second tile reads on in the next mode
		{"(8,2,2,2,2,4):(1,16,64,256,4096,1024)", "(8,2,2,2,2,1)", 1}, // steps of 1024
		{"(8,2,2,2,2,2):(1,16,64,256,1024,4096)", "(8,2,2,2,2,2)", 1},
		{"(8,2,2,2,2,2):(1,16,64,256,1024,2048)", "(8,2,2,2,2,2)", 0},
		{"(8,2,2,2,2,2):(1,16,64,256,1024,3072)", "(8,2,2,2,2,2)", 1}, // 3072 is not 2 times 1024
	} {
		tile := cute.MustParseTuple(c.tile)
		fitted, _, err := tensormap.Copy{Global: cute.MustParse(c.global), Type: tensormap.Float16}.Fit(
			tile.Leaves(), new(tensormap.Swizzle))
		shared := fitted.Shared
		if err != nil {
			t.Fatal(err)
		}
		q := tensormap.Copy{Global: cute.MustParse(c.global), Type: tensormap.Float16, Shared: shared}
		if p, err := tensormap.Make(q); err != nil || len(p.Faults) != c.faults {
			t.Errorf("%s, %s: %v, %v", c.global, c.tile, p.Faults, err)
		}
		if c.faults == 0 {
			follow(t, q, cute.Ints(0, 0, 0, 0, 0, 0))
		}
	}
}

// Masks and slices follow their definition: a part of CTA (m,n) goes to all CTAs with the same tile.
func TestClusters(t *testing.T) {
	t.Parallel()
	for m := int64(1); m <= 4; m++ {
		for n := int64(1); n <= 4; n++ {
			c := tensormap.Cluster{M: m, N: n}
			a, err := c.PartsA()
			if err != nil {
				t.Fatal(err)
			}
			b, _ := c.PartsB()
			for i, p := range a {
				maskA, maskB := uint16(0), uint16(0)
				for _, q := range a {
					if q.M == p.M {
						maskA |= 1 << q.Rank
					}
					if q.N == p.N {
						maskB |= 1 << q.Rank
					}
				}
				if p.Rank != int64(i) || p.Mask != maskA || b[i].Mask != maskB || p.Slice != p.N || b[i].Slice != p.M {
					t.Errorf("%v: %+v, %+v, want masks %b, %b", c, p, b[i], maskA, maskB)
				}
			}
		}
	}
}

// MulticastMask follows its definition, the ranks of the CTAs that differ along the open modes. If those are M or N,
// the mask is the mask of the parts.
func TestMulticastMask(t *testing.T) {
	t.Parallel()
	for m := int64(1); m <= 4; m++ {
		for n := int64(1); n <= 4; n++ {
			a, err := tensormap.Cluster{M: m, N: n}.PartsA()
			if err != nil {
				t.Fatal(err)
			}
			b, _ := tensormap.Cluster{M: m, N: n}.PartsB()
			cluster := cute.MustParse(fmt.Sprintf("(1,%d,%d,1):(0,1,%d,0)", m, n, m))
			for i, p := range a {
				for at, want := range map[string]uint16{
					fmt.Sprintf("(0,%d,_,0)", p.M): p.Mask, fmt.Sprintf("(0,_,%d,_)", p.N): b[i].Mask,
					fmt.Sprintf("(0,%d,%d,0)", p.M, p.N): 1 << p.Rank, "(_,_,_,_)": 1<<(m*n) - 1,
				} {
					c, err := cute.ParseCoord(at)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := tensormap.MulticastMask(cluster, c); err != nil || got != want {
						t.Errorf("%v at %s: %b, %v, want %b", cluster, at, got, err, want)
					}
				}
			}
		}
	}
	// Pairs of CTAs share an instruction of tcgen05: CUTLASS's (V,M,N,K) of a cluster of 4 by 4 is ((2),2,4,1).
	for _, tt := range []struct {
		cluster, at string
		want        uint16
		code        cute.Code
	}{
		{"(2,2,4,1):(1,2,4,0)", "(0,1,_,0)", 1<<2 | 1<<6 | 1<<10 | 1<<14, ""},
		{"(2,2,4,1):(1,2,4,0)", "(1,_,3,_)", 1<<13 | 1<<15, ""},
		{"4:-1", "_", 0, cute.CodeLimit},
		{"4:5", "_", 1 | 1<<5 | 1<<10 | 1<<15, ""},
		{"4:6", "_", 0, cute.CodeLimit},
		{"4:5", "4", 0, cute.CodeLimit},
		{"2:4611686018427387904", "1", 0, cute.CodeLimit},
		{"131072:0", "_", 0, cute.CodeLimit},
		{"(2,2):(1@0,1@1)", "(_,0)", 0, cute.CodeCodomain},
		{"(2,2):(1,2)", "(_,0,0)", 0, cute.CodeNotCongruent},
	} {
		c, err := cute.ParseCoord(tt.at)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tensormap.MulticastMask(cute.MustParse(tt.cluster), c)
		bad, _ := errors.AsType[*cute.Error](err)
		if got != tt.want || (bad == nil) != (tt.code == "") || bad != nil && bad.Code != tt.code {
			t.Errorf("%s at %s: %b, %v, want %b, %s", tt.cluster, tt.at, got, err, tt.want, tt.code)
		}
	}
	_, err := tensormap.Make(tensormap.Copy{
		Global: cute.MustParse("(8,144115188075855872):(1,8)"), Type: tensormap.Float16,
		Shared: cute.MustParse("(8,144115188075855872):(1,8)").Composed(),
	})
	if bad, ok := errors.AsType[*cute.Error](err); !ok || bad.Code != cute.CodeOverflow {
		t.Errorf("a tile of 2^60 elements: %v", err)
	}
}

// Start and Landings are compared with the definition of a convolution as a sum.
func TestConvolution(t *testing.T) {
	t.Parallel()
	c := tensormap.Convolution{
		Image: []int64{2, 9, 11, 16}, Filter: []int64{3, 2}, Lower: []int64{1, 2}, Upper: []int64{2, 0}, Stride: []int64{2, 3},
		Dilated: []int64{2, 1}, Type: tensormap.Float16, Channels: 8, Pixels: 7,
	}
	m, err := c.Map()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for first := int64(0); first < out[0]*out[1]*out[2]; first += 7 {
		for r := range int64(3) {
			for s := range int64(2) {
				start, err := c.Start(first, 8, []int64{r, s})
				if err != nil {
					t.Fatal(err)
				}
				landings, err := m.Landings(start)
				if err != nil {
					t.Fatal(err)
				}
				i := int64(0)
				for l := range landings {
					p, ch := first+i/8, 8+i%8
					q, y, n := p%out[2], p/out[2]%out[1], p/out[2]/out[1]
					h, w := y*2-1+r*2, q*3-2+s
					inside := n < 2 && h >= 0 && h < 9 && w >= 0 && w < 11
					if l.Inside != inside || inside && l.Global != (((n*9+h)*11+w)*16+ch)*16 {
						t.Fatalf("output %d, tap (%d,%d): %+v", p, r, s, l)
					}
					i++
				}
			}
		}
	}
}
