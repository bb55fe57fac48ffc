package tensormap_test

import (
	"errors"
	"slices"
	"testing"

	"girih/cute"
	"girih/tensormap"
)

// tiled returns a legal map of a tensor of 1024 by 512 by 8 f16 in boxes of 64 by 64.
func tiled() tensormap.Map {
	return tensormap.Map{
		Type: tensormap.Float16, Address: 0x1000, Dims: []int64{1024, 512, 8}, Strides: []int64{2048, 1 << 20},
		Box:   []int64{64, 64, 1},
		Steps: []int64{1, 1, 1}, Swizzle: tensormap.Swizzle128B, Promotion: tensormap.Promotion128B,
	}
}

// packed returns a legal map of 6-bit elements, with gaps in shared memory.
func packed() tensormap.Map {
	return tensormap.Map{
		Type: tensormap.U6Align16, Address: 0x1000, Dims: []int64{1024, 512}, Strides: []int64{768}, Box: []int64{128, 64},
		Steps: []int64{1, 1}, Swizzle: tensormap.Swizzle128B,
	}
}

// interleaved returns a legal map of slices of 32 bytes.
func interleaved() tensormap.Map {
	return tensormap.Map{
		Type: tensormap.Float16, Address: 0x1000, Dims: []int64{14, 14, 4, 8}, Strides: []int64{448, 6272, 25088},
		Box:   []int64{8, 8, 1, 1},
		Steps: []int64{1, 1, 1, 1}, Interleave: tensormap.Interleave32B, Swizzle: tensormap.Swizzle32B,
	}
}

// pixels returns a legal im2col map: NHWC f16 with 64 channels, a 3x3 filter with padding 1.
func pixels() tensormap.Map {
	return tensormap.Map{
		Mode: tensormap.Im2col, Type: tensormap.Float16, Address: 0x1000, Dims: []int64{64, 14, 14, 8},
		Strides: []int64{128, 1792, 25088},
		Lower:   []int64{-1, -1}, Upper: []int64{-1, -1}, Channels: 64, Pixels: 128, Steps: []int64{1, 1, 1, 1},
		Swizzle: tensormap.Swizzle128B,
	}
}

// wide returns a legal map of im2col::w.
func wide() tensormap.Map {
	m := pixels()
	m.Mode, m.Lower, m.Upper = tensormap.Im2colWide, []int64{-1}, []int64{-1}
	return m
}

// rank5 returns a legal im2col map of 5 dimensions.
func rank5() tensormap.Map {
	m := pixels()
	m.Dims, m.Strides = []int64{64, 14, 14, 14, 8}, []int64{128, 1792, 25088, 351232}
	m.Lower, m.Upper, m.Steps = []int64{-1, -1, -1}, []int64{-1, -1, -1}, []int64{1, 1, 1, 1, 1}
	return m
}

// Each rule is tried at its limit, which is legal, and just beyond the limit, which breaks this rule only.
func TestRulesAtTheirLimits(t *testing.T) {
	t.Parallel()
	type change = func(m *tensormap.Map)
	cases := []struct {
		rule        tensormap.Rule
		of          func() tensormap.Map
		at, breaks  change
		alsoAllowed []tensormap.Rule
	}{
		{tensormap.RuleLengths, tiled, func(m *tensormap.Map) { m.Steps = nil }, func(m *tensormap.Map) { m.Strides = m.Strides[:1] }, nil},
		{tensormap.RuleLengths, tiled, nil, func(m *tensormap.Map) { m.Box = m.Box[:2] }, nil},
		{tensormap.RuleLengths, pixels, nil, func(m *tensormap.Map) { m.Lower = m.Lower[:1] }, nil},
		{tensormap.RuleDataType, tiled, func(m *tensormap.Map) { m.Type = tensormap.UInt8 }, func(m *tensormap.Map) { m.Type = 16 }, nil},
		{tensormap.RuleRank, tiled, func(m *tensormap.Map) {
			m.Dims, m.Strides = []int64{8, 2, 2, 2, 2}, []int64{16, 32, 64, 128}
			m.Box, m.Steps = []int64{8, 2, 2, 2, 2}, nil
		}, func(m *tensormap.Map) {
			m.Dims, m.Strides = []int64{8, 2, 2, 2, 2, 2}, []int64{16, 32, 64, 128, 256}
			m.Box, m.Steps = []int64{8, 2, 2, 2, 2, 2}, nil
		}, nil},
		{tensormap.RuleRank, tiled, func(m *tensormap.Map) { *m = tensormap.Map{Dims: []int64{16}, Box: []int64{16}} }, func(m *tensormap.Map) { *m = tensormap.Map{} }, nil},
		{tensormap.RuleRank, pixels, func(m *tensormap.Map) {
			m.Dims, m.Strides, m.Lower, m.Upper, m.Steps = m.Dims[:3], m.Strides[:2], m.Lower[:1], m.Upper[:1], nil
		}, func(m *tensormap.Map) {
			m.Dims, m.Strides, m.Lower, m.Upper, m.Steps = m.Dims[:2], m.Strides[:1], nil, nil, nil
		}, nil},
		{tensormap.RuleRankInterleave, interleaved, func(m *tensormap.Map) {
			m.Dims, m.Strides, m.Box, m.Steps = m.Dims[:3], m.Strides[:2], m.Box[:3], nil
		}, func(m *tensormap.Map) {
			m.Dims, m.Strides, m.Box, m.Steps = m.Dims[:2], m.Strides[:1], m.Box[:2], nil
		}, nil},
		{tensormap.RuleAddress, tiled, func(m *tensormap.Map) { m.Address = 16 }, func(m *tensormap.Map) { m.Address = 17 }, nil},
		{tensormap.RuleAddressInterleave, interleaved, func(m *tensormap.Map) { m.Address = 32 }, func(m *tensormap.Map) { m.Address = 48 }, nil},
		{tensormap.RuleAddressPacked, packed, func(m *tensormap.Map) { m.Address = 32 }, func(m *tensormap.Map) { m.Address = 48 }, nil},
		{tensormap.RuleDim, tiled, func(m *tensormap.Map) { m.Dims[1] = 1 << 32 }, func(m *tensormap.Map) { m.Dims[1] = 1<<32 + 1 }, nil},
		{tensormap.RuleDim, tiled, func(m *tensormap.Map) { m.Dims[1] = 1 }, func(m *tensormap.Map) { m.Dims[1] = 0 }, nil},
		{tensormap.RuleDimPacked128, packed, func(m *tensormap.Map) { m.Dims[0] = 896 }, func(m *tensormap.Map) { m.Dims[0] = 960 }, nil},
		{tensormap.RuleDimPacked2, packed, func(m *tensormap.Map) { m.Type, m.Dims[0] = tensormap.U4Align8, 1022 }, func(m *tensormap.Map) { m.Type, m.Dims[0] = tensormap.U4Align8, 1023 }, nil},
		{tensormap.RuleStride, tiled, func(m *tensormap.Map) { m.Strides[0] = 2064 }, func(m *tensormap.Map) { m.Strides[0] = 2056 }, nil},
		{tensormap.RuleStrideLimit, tiled, func(m *tensormap.Map) { m.Strides[1] = 1<<40 - 16 }, func(m *tensormap.Map) { m.Strides[1] = 1 << 40 }, nil},
		{tensormap.RuleStrideInterleave, interleaved, func(m *tensormap.Map) { m.Strides[0] = 480 }, func(m *tensormap.Map) { m.Strides[0] = 464 }, nil},
		{tensormap.RuleStridePacked, packed, func(m *tensormap.Map) { m.Strides[0] = 800 }, func(m *tensormap.Map) { m.Strides[0] = 784 }, nil},
		{tensormap.RuleBox, tiled, func(m *tensormap.Map) { m.Box[1] = 256 }, func(m *tensormap.Map) { m.Box[1] = 257 }, nil},
		{tensormap.RuleBox, tiled, func(m *tensormap.Map) { m.Box[1] = 1 }, func(m *tensormap.Map) { m.Box[1] = 0 }, nil},
		{tensormap.RuleBoxBytes, tiled, func(m *tensormap.Map) { m.Box[0] = 56 }, func(m *tensormap.Map) { m.Box[0] = 60 }, nil},
		{tensormap.RuleBoxPacked, packed, nil, func(m *tensormap.Map) { m.Box[0] = 64 }, nil},
		{tensormap.RuleLower, pixels, func(m *tensormap.Map) { m.Lower[0] = -128 }, func(m *tensormap.Map) { m.Lower[0] = -129 }, nil},
		{tensormap.RuleLower, rank5, func(m *tensormap.Map) { m.Lower[2] = -16 }, func(m *tensormap.Map) { m.Lower[2] = -17 }, nil},
		{tensormap.RuleLower, wide, func(m *tensormap.Map) { m.Lower[0] = -32768 }, func(m *tensormap.Map) { m.Lower[0] = -32769 }, nil},
		{tensormap.RuleUpper, pixels, func(m *tensormap.Map) { m.Upper[1] = 127 }, func(m *tensormap.Map) { m.Upper[1] = 128 }, nil},
		{tensormap.RuleUpper, rank5, func(m *tensormap.Map) { m.Upper[0] = 15 }, func(m *tensormap.Map) { m.Upper[0] = 16 }, nil},
		{tensormap.RuleArea, pixels, func(m *tensormap.Map) { m.Upper[0] = -14 }, func(m *tensormap.Map) { m.Upper[0] = -15 }, nil},
		{tensormap.RuleChannels, pixels, func(m *tensormap.Map) { m.Swizzle, m.Channels = 0, 256 }, func(m *tensormap.Map) { m.Swizzle, m.Channels = 0, 257 }, nil},
		{tensormap.RuleChannelsPacked, func() tensormap.Map {
			m := pixels()
			m.Type, m.Dims[0], m.Channels = tensormap.U6Align16, 128, 128
			return m
		}, nil, func(m *tensormap.Map) { m.Channels = 64 }, nil},
		{tensormap.RulePixels, pixels, func(m *tensormap.Map) { m.Pixels = 1024 }, func(m *tensormap.Map) { m.Pixels = 1025 }, nil},
		{tensormap.RulePixels, wide, func(m *tensormap.Map) { m.Pixels, m.Wide = 1025, tensormap.W128 }, func(m *tensormap.Map) { m.Pixels = 1025 }, nil},
		{tensormap.RuleStep, tiled, func(m *tensormap.Map) { m.Steps[2] = 8 }, func(m *tensormap.Map) { m.Steps[2] = 9 }, nil},
		{tensormap.RuleStep, tiled, func(m *tensormap.Map) { m.Steps[2] = 1 }, func(m *tensormap.Map) { m.Steps[2] = 0 }, nil},
		{tensormap.RuleInterleave, tiled, func(m *tensormap.Map) { m.Interleave = 1 }, func(m *tensormap.Map) { m.Interleave = 3 }, nil},
		{tensormap.RuleSpan, tiled, func(m *tensormap.Map) { m.Box[0] = 64 }, func(m *tensormap.Map) { m.Box[0] = 72 }, nil},
		{tensormap.RuleSpan, tiled, func(m *tensormap.Map) { m.Box[0], m.Swizzle = 16, 1 }, func(m *tensormap.Map) { m.Box[0], m.Swizzle = 24, 1 }, nil},
		{tensormap.RuleSpan, tiled, func(m *tensormap.Map) { m.Box[0], m.Swizzle = 32, 2 }, func(m *tensormap.Map) { m.Box[0], m.Swizzle = 40, 2 }, nil},
		{tensormap.RuleSpan, tiled, func(m *tensormap.Map) { m.Box[0], m.Swizzle = 64, 6 }, func(m *tensormap.Map) { m.Box[0], m.Swizzle = 72, 6 }, nil},
		{tensormap.RuleSpan, pixels, func(m *tensormap.Map) { m.Channels = 64 }, func(m *tensormap.Map) { m.Channels = 65 }, nil},
		{tensormap.RuleInterleavePacked, func() tensormap.Map {
			m := interleaved()
			m.Type, m.Dims[0], m.Box[0], m.Interleave, m.Swizzle = tensormap.U6Align16, 128, 128, 0, 0
			return m
		}, nil, func(m *tensormap.Map) { m.Interleave = 1 }, nil},
		{tensormap.RuleWide, wide, func(m *tensormap.Map) { m.Wide = 1 }, func(m *tensormap.Map) { m.Wide = 2 }, nil},
		{tensormap.RuleSwizzle, tiled, func(m *tensormap.Map) { m.Swizzle = 6 }, func(m *tensormap.Map) { m.Swizzle = 7 }, nil},
		{tensormap.RuleSwizzleInterleave, interleaved, nil, func(m *tensormap.Map) { m.Swizzle = 0 }, nil},
		{tensormap.RuleSwizzleU6, packed, func(m *tensormap.Map) { m.Swizzle = 6 }, func(m *tensormap.Map) { m.Swizzle = 5 }, nil},
		{tensormap.RuleSwizzleU4, packed, func(m *tensormap.Map) { m.Type, m.Swizzle = tensormap.U4Align16, 4 }, func(m *tensormap.Map) { m.Type, m.Swizzle = tensormap.U4Align16, 6 }, nil},
		{tensormap.RuleSwizzleWide, wide, func(m *tensormap.Map) { m.Channels, m.Swizzle = 32, 2 }, func(m *tensormap.Map) { m.Swizzle = 0 }, nil},
		{tensormap.RulePromotion, tiled, func(m *tensormap.Map) { m.Promotion = 3 }, func(m *tensormap.Map) { m.Promotion = 4 }, nil},
		{tensormap.RuleFill, tiled, func(m *tensormap.Map) { m.Fill = 1 }, func(m *tensormap.Map) { m.Fill = 2 }, nil},
		{tensormap.RuleFillType, tiled, func(m *tensormap.Map) { m.Fill, m.Type = 1, tensormap.BFloat16 }, func(m *tensormap.Map) { m.Fill, m.Type = 1, tensormap.UInt16 }, nil},
	}
	tried := map[tensormap.Rule]bool{}
	for _, c := range cases {
		tried[c.rule] = true
		m := c.of()
		if c.at != nil {
			c.at(&m)
		}
		for _, b := range m.Check() {
			t.Errorf("%s at its limit: %s", c.rule, b.Text)
		}
		m = c.of()
		c.breaks(&m)
		broken := m.Check()
		if len(broken) != 1 || broken[0].Rule != c.rule || broken[0].Text == "" || broken[0].Change == "" {
			t.Errorf("%s beyond its limit: %+v", c.rule, broken)
		}
		if e, ok := errors.AsType[*cute.Error](m.Err()); !ok || e.Msg == "" {
			t.Errorf("%s: Err() = %v", c.rule, m.Err())
		}
	}
	for _, r := range tensormap.Rules() {
		if !tried[r] {
			t.Errorf("%s is not tried", r)
		}
	}
}

// All broken rules are reported, in the order of the documentation.
func TestCheckReportsAll(t *testing.T) {
	t.Parallel()
	m := tiled()
	m.Address, m.Strides[0], m.Box[1], m.Box[0], m.Fill, m.Type = 8, 2056, 300, 128, 1, tensormap.UInt16
	var got []tensormap.Rule
	for _, b := range m.Check() {
		got = append(got, b.Rule)
	}
	want := []tensormap.Rule{
		tensormap.RuleAddress, tensormap.RuleStride, tensormap.RuleBox, tensormap.RuleSpan,
		tensormap.RuleFillType,
	}
	if !slices.Equal(got, want) {
		t.Errorf("Check() = %v, want %v", got, want)
	}
}

// Numbers, however wrong, cause no panic and no hang.
func TestCheckOfNonsense(t *testing.T) {
	t.Parallel()
	numbers := []int64{0, 1, -1, 7, 1 << 31, 1 << 40, 1<<63 - 1, -1 << 63}
	for _, x := range numbers {
		for rank := range 8 {
			for mode := range tensormap.Mode(4) {
				xs := slices.Repeat([]int64{x}, rank)
				m := tensormap.Map{
					Mode: mode, Type: tensormap.Type(x), Address: uint64(x), Dims: xs, Strides: xs, Box: xs, Steps: xs, Lower: xs,
					Upper:    xs,
					Channels: x, Pixels: x, Swizzle: tensormap.Swizzle(x), Interleave: tensormap.Interleave(x),
					Wide:      tensormap.WideMode(x),
					Promotion: tensormap.Promotion(x), Fill: tensormap.Fill(x),
				}
				for _, b := range m.Check() {
					if b.Text == "" || b.Change == "" || b.Rule.Says() == "" || b.Rule.Source() == "" {
						t.Fatalf("%v: %+v", m, b)
					}
				}
				_, _, _, _ = m.Remarks(), m.Bytes(), m.SharedBytes(), m.String()
				_, _ = m.Landings(tensormap.Start{Coord: xs, Shared: x, Offsets: xs})
			}
		}
	}
}

// The change that a rule suggests for dimension 0 of a box, or for channels, breaks no other rule.
func TestChangesAreLegal(t *testing.T) {
	t.Parallel()
	for _, typ := range []tensormap.Type{
		tensormap.UInt8, tensormap.UInt16, tensormap.UInt32, tensormap.UInt64, tensormap.U4Align8,
	} {
		for s := tensormap.SwizzleNone; s <= tensormap.Swizzle128B; s++ {
			for n := int64(0); n < 700; n++ {
				box := tiled()
				box.Type, box.Swizzle, box.Box[0], box.Strides = typ, s, n, []int64{1 << 14, 1 << 24}
				channels := pixels()
				channels.Type, channels.Swizzle, channels.Channels, channels.Strides = typ, s, n, []int64{1 << 14, 1 << 24, 1 << 34}
				for _, b := range box.Check() {
					again := box
					again.Box = append([]int64{b.Value}, box.Box[1:]...)
					if err := again.Err(); err != nil {
						t.Fatalf("%v, %v: %s, so %s: %v", typ, s, b.Text, b.Change, err)
					}
				}
				for _, b := range channels.Check() {
					again := channels
					again.Channels = b.Value
					if err := again.Err(); err != nil {
						t.Fatalf("%v, %v: %s, so %s: %v", typ, s, b.Text, b.Change, err)
					}
				}
			}
		}
	}
}
