package tensormap_test

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"girih/tensormap"
)

// encoded are maps as the driver of an H100 encodes them, without the zeros at the end.
var encoded = []struct {
	m     tensormap.Map
	bytes string
}{
	{tensormap.Map{
		Type: tensormap.Float32FTZ, Address: 0xfdf3b80, Dims: []int64{91},
		Box: []int64{240}, Steps: []int64{1}, Promotion: 3, Fill: 1,
	}, "803bdf0f000000000084060000000000000000000000000000000000000000005a00000000" +
		"000000000000000000000000000000000000ef0000000000000000c00300000000000010"},
	{tensormap.Map{
		Type: tensormap.UInt32, Address: 0x97103b0, Dims: []int64{296, 116},
		Strides: []int64{1184}, Box: []int64{8, 148}, Steps: []int64{5, 2}, Swizzle: 1, Promotion: 1,
	}, "b003710900000000102102004a000000000000000000000000000000000000002701000073" +
		"0000000000000000000000000000000c000007930000000000000028010000000000000001"},
	{tensormap.Map{
		Type: tensormap.Float32FTZ, Address: 0xf1d90, Dims: []int64{298, 253, 2352907},
		Strides: []int64{1200, 303600}, Box: []int64{4, 95, 11}, Steps: []int64{1, 6, 6}, Swizzle: 1, Promotion: 2,
	}, "901d0f0000000000202404004b0000001f4a000000000000000000000000000029010000fc" +
		"0000000ae723000000000000000000680100035e0a000000000000f0000000000000000001"},
	{tensormap.Map{
		Type: tensormap.UInt16, Address: 0x5a3e160, Dims: []int64{87, 243, 291, 172},
		Strides: []int64{176, 42768, 12445488}, Box: []int64{8, 2, 14, 14}, Steps: []int64{1, 1, 1, 1}, Swizzle: 1,
	}, "60e1a30500000000b02000000b000000710a000073de0b00000000000000000056000000f2" +
		"00000022010000ab0000000000000000000007010d0d000000000080180000000000000001"},
	{tensormap.Map{
		Type: tensormap.Float32, Address: 0xa70260, Dims: []int64{160, 213, 127, 203, 63},
		Strides: []int64{640, 136320, 17312640, 3514465920}, Box: []int64{16, 11, 11, 13, 13},
		Steps: []int64{5, 8, 1, 6, 7}, Swizzle: 3, Promotion: 2,
	}, "6002a70000000000c06304002800000048210000b8821000e8a7170d000000009f000000d4" +
		"0000007e000000ca0000003e0000003c6a000f0a0a0c0c0000000008010000000000000004"},
	{tensormap.Map{
		Type: tensormap.Float64, Address: 0x1f8fbb0, Dims: []int64{49, 286, 54},
		Strides: []int64{0, 0}, Mode: tensormap.Im2col, Lower: []int64{-3}, Upper: []int64{1},
		Channels: 2, Pixels: 32, Steps: []int64{1, 1, 1}, Swizzle: 2, Promotion: 1,
	}, "b0fbf80100000000a14402000000000000000000000000000000000000000000300000001d" +
		"01000035000000000000000000000000000001fdff01001f00000000020000000000000002"},
	{tensormap.Map{
		Type: tensormap.TFloat32FTZ, Address: 0x2af0, Dims: []int64{109, 215, 203714, 65},
		Strides: []int64{448, 96320, 96320000}, Mode: tensormap.Im2col, Lower: []int64{-4, 5}, Upper: []int64{-5, -5},
		Channels: 84, Pixels: 20, Steps: []int64{4, 8, 8, 1}, Fill: 1,
	}, "f02a000000000000318401001c00000084170000a0db5b0000000000000000006c000000d6" +
		"000000c11b03004000000000000000fb010053fc05fbfb13000000401a00000000000010"},
	{tensormap.Map{
		Type: tensormap.Float32, Address: 0x155df30, Dims: []int64{264, 363660199, 137, 1083629, 32},
		Strides: []int64{105535328, 80107183728, 0, 2160}, Mode: tensormap.Im2col, Lower: []int64{1, 0, -5},
		Upper:    []int64{3, -4, -8},
		Channels: 16, Pixels: 879, Steps: []int64{6, 5, 2, 4, 1}, Swizzle: 3,
	}, "30df550100000000c163000076a56400e7296c2a00000000870000001000000007010000a6" +
		"03ad1588000000ec8810001f0000006506000f016c83636e030000c0db0000000000000004"},
	{tensormap.Map{
		Type: tensormap.Float64, Address: 0x3a33e77020, Dims: []int64{249, 485773, 273},
		Strides: []int64{2016, 2016000}, Box: []int64{256, 12, 16}, Steps: []int64{5, 8, 1}, Interleave: 2,
		Swizzle: 1, Promotion: 2, Fill: 1,
	}, "2070e7333a000000a0b404007e00000030ec0100000000000000000000000000f80000008c" +
		"6907001001000000000000000000003c0000ff0b0f00000000000080190000000000000001"},
	{tensormap.Map{
		Type: tensormap.Float64, Address: 0x600, Dims: []int64{165, 57, 28, 56},
		Strides: []int64{11120, 0, 12573978304}, Box: []int64{22, 9, 11, 3}, Steps: []int64{6, 1, 1, 1},
		Interleave: 1, Fill: 1,
	}, "0006000000000000b08c0000b702000000000000ec7ad72e0000000000000000a400000038" +
		"0000001b000000370000000000000005000015080a020000000000d81b00000000000010"},
	{tensormap.Map{
		Type: tensormap.TFloat32, Address: 0x596626a40, Dims: []int64{992086, 74, 25},
		Strides: []int64{131232720, 43904}, Box: []int64{4, 16, 26}, Steps: []int64{6, 1, 1}, Swizzle: 1,
		Promotion: 2, Fill: 1,
	}, "406a629605000000a0a305003d277d00b80a000000000000000000000000000055230f0049" +
		"000000180000000000000000000000050000030f1900000000000000000000000000000001"},
	{tensormap.Map{
		Type: tensormap.TFloat32FTZ, Address: 0xbf2c0, Dims: []int64{142, 100, 86, 128},
		Strides: []int64{576, 57600, 4953600}, Mode: tensormap.Im2col, Lower: []int64{1, 3}, Upper: []int64{-8, 0},
		Channels: 4, Pixels: 24, Steps: []int64{1, 1, 1, 1}, Swizzle: 2, Promotion: 1,
	}, "c0f20b00000000003144030024000000100e000060b9040000000000000000008d00000063" +
		"000000550000007f00000000000000000000030103f8001700000080010000000000000002"},
}

func TestEncoded(t *testing.T) {
	t.Parallel()
	for _, c := range encoded {
		want := make([]byte, tensormap.EncodedSize)
		if _, err := hex.Decode(want, []byte(c.bytes)); err != nil {
			t.Fatal(err)
		}
		if got, err := c.m.Encode(); err != nil || !bytes.Equal(got[:], want) {
			t.Errorf("%s\nis  %x %v\nnot %x", c.m, got, err, want)
		}
		if got, err := tensormap.Decode(want); err != nil || got.String() != c.m.String() {
			t.Errorf("%x\nis  %s %v\nnot %s", want, got, err, c.m)
		}
	}
}

// Features that a card of sm_90 does not have are also read back unchanged.
func TestNewerIsReadBack(t *testing.T) {
	t.Parallel()
	base := tensormap.Map{
		Type: tensormap.UInt8, Address: 1 << 40, Dims: []int64{1 << 32, 7, 5}, Strides: []int64{32, 1<<40 - 32},
		Box: []int64{128, 1, 2}, Steps: []int64{1, 2, 8}, Swizzle: tensormap.Swizzle128B,
	}
	wide := tensormap.Map{
		Mode: tensormap.Im2colWide, Type: tensormap.UInt8, Address: 16, Dims: []int64{64, 14, 14, 8},
		Strides: []int64{128, 1792, 25088}, Lower: []int64{-20000}, Upper: []int64{-20001}, Channels: 64, Pixels: 128,
		Steps: []int64{1, 1, 1, 1}, Swizzle: tensormap.Swizzle128B,
	}
	list := []tensormap.Map{base, wide}
	for s := tensormap.Swizzle128BAtom32B; s <= tensormap.Swizzle128BAtom64B; s++ {
		m := base
		m.Swizzle = s
		list = append(list, m)
	}
	for k := tensormap.U4Align8; k <= tensormap.U6Align16; k++ {
		m := base
		m.Type = k
		list = append(list, m)
	}
	wide.Wide = tensormap.W128
	for _, m := range append(list, wide) {
		b, err := m.Encode()
		if err != nil {
			t.Errorf("%s: %v", m, err)
			continue
		}
		if got, err := tensormap.Decode(b[:]); err != nil || got.String() != m.String() {
			t.Errorf("%s\n%s %v", m, got, err)
		}
	}
}

// Bits that belong to no field are refused, whatever the other bytes are.
func TestForeignBits(t *testing.T) {
	t.Parallel()
	for _, c := range encoded {
		b, err := c.m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		for bit := range 8 * len(b) {
			b[bit/8] ^= 1 << (bit % 8)
			m, err := tensormap.Decode(b[:])
			if err == nil && m.String() == c.m.String() && !idle(c.m, bit) {
				t.Errorf("%s: bit %d may be anything", c.m, bit)
			}
			if err == nil && m.Legal() {
				again, err := m.Encode()
				if err != nil || !idle(m, bit) && !bytes.Equal(again[:64], b[:64]) {
					t.Errorf("%s, bit %d: read as %s, which is %x, not %x: %v", c.m, bit, m, again, b, err)
				}
			}
			b[bit/8] ^= 1 << (bit % 8)
		}
	}
}

// idle reports whether a bit belongs to a dimension beyond the map's rank, to the words of the driver, or to the unused
// part of an alignment.
func idle(m tensormap.Map, bit int) bool {
	n := m.Rank()
	switch {
	case bit >= 512:
		return bit < 640
	case bit >= 440 && m.Mode == tensormap.Tiled:
		return bit >= 440+8*n
	case bit >= 416 && bit < 431:
		return bit >= 416+3*n
	case bit >= 256 && bit < 416:
		return bit >= 256+32*n
	case bit >= 224 && bit < 240:
		return bit >= 224+4*(n-1)
	case bit >= 96 && bit < 224:
		return bit >= 96+32*(n-1)
	}
	return bit == 68 || bit == 69 || bit == 70 // another rank has other idle bits
}

// Fields of a map that tensormap.replace writes into zeros make the map that the driver encodes, except for the
// driver's own words.
func TestReplaceMakesMaps(t *testing.T) {
	t.Parallel()
	names := []tensormap.Type{
		tensormap.UInt8, tensormap.UInt16, tensormap.UInt32, tensormap.Int32, tensormap.UInt64, tensormap.Int64,
		tensormap.Float16, tensormap.Float32, tensormap.Float32FTZ, tensormap.Float64, tensormap.BFloat16,
		tensormap.TFloat32, tensormap.TFloat32FTZ, tensormap.U4Align8, tensormap.U4Align16, tensormap.U6Align16,
	}
	for _, c := range encoded {
		m := c.m
		if m.Mode != tensormap.Tiled {
			continue
		}
		var b [tensormap.EncodedSize]byte
		put := func(field string, ord int, v uint64) {
			if err := tensormap.Replace(b[:], tensormap.Replacement{Field: field, Ord: ord, Value: v}); err != nil {
				t.Error(err)
			}
		}
		put("global_address", 0, m.Address)
		put("rank", 0, uint64(m.Rank()-1))
		for i := range m.Dims {
			put("global_dim", i, uint64(m.Dims[i]))
			put("box_dim", i, uint64(m.Box[i]))
			put("element_stride", i, uint64(m.Steps[i]))
			if i > 0 {
				put("global_stride", i-1, uint64(m.Strides[i-1]))
			}
		}
		for n, k := range names {
			if k == m.Type {
				put("elemtype", 0, uint64(n))
			}
		}
		put("interleave_layout", 0, uint64(m.Interleave))
		put("swizzle_mode", 0, uint64(m.Swizzle))
		put("swizzle_atomicity", 0, 0)
		put("fill_mode", 0, uint64(m.Fill))
		m.Promotion = 0 // a kernel cannot set it
		want, err := m.Encode()
		if err != nil || !bytes.Equal(b[:64], want[:64]) {
			t.Errorf("%s\n%x\n%x %v", m, b, want, err)
		}
		if got, err := tensormap.Decode(b[:]); err != nil || got.String() != m.String() {
			t.Errorf("%s\n%s %v", m, got, err)
		}
	}
}

func TestReplaceErrors(t *testing.T) {
	t.Parallel()
	var b [tensormap.EncodedSize]byte
	for _, r := range []tensormap.Replacement{
		{"l2_promotion", 0, 1},
		{"rank", 0, 5},
		{"rank", 1, 0},
		{"box_dim", 5, 1},
		{"box_dim", -1, 1},
		{"box_dim", 0, 0},
		{"box_dim", 0, 257},
		{"global_dim", 0, 1 << 32},
		{"global_stride", 0, 24},
		{"global_stride", 4, 16},
		{"global_stride", 0, 1 << 40},
		{"element_stride", 0, 9},
		{"elemtype", 0, 16},
		{"swizzle_mode", 0, 4},
		{"fill_mode", 0, 2},
	} {
		if err := tensormap.Replace(b[:], r); err == nil || b != [tensormap.EncodedSize]byte{} {
			t.Errorf("%+v: %v, %x", r, err, b)
		}
	}
	if err := tensormap.Replace(b[:127], tensormap.Replacement{Field: "rank"}); err == nil {
		t.Error("127 bytes are a map")
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range encoded {
		b, err := c.m.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:])
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		b := make([]byte, tensormap.EncodedSize)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := tensormap.Decode(b)
		if err != nil || m.Err() != nil {
			return
		}
		again, err := m.Encode()
		if err != nil {
			t.Fatalf("%x is %s, which cannot be encoded: %v", b, m, err)
		}
		if n, err := tensormap.Decode(again[:]); err != nil || n.String() != m.String() {
			t.Errorf("%x is %s, and that is %x, %s %v", b, m, again, n, err)
		}
	})
}
