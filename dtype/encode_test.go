package dtype

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Encode for float32 agrees with Go's own conversion of a float64.
func TestF32IsGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		x := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Float32(), func(f float32) float64 {
			return float64(f)
		}), rapid.Float64Range(-1e-38, 1e-38)).Draw(r, "x")
		got, err := F32.Encode(x)
		if err != nil {
			r.Fatal(err)
		}
		if want := math.Float32bits(float32(x)); uint32(got) != want && !math.IsNaN(x) {
			r.Fatalf("%v encodes as %#x, float32 has %#x", x, got, want)
		}
		back, err := F32.Decode(got)
		if f := float64(float32(x)); err != nil || back != f && !math.IsNaN(f) {
			r.Fatalf("%#x decodes as %v, %v; it is %v", got, back, err, f)
		}
		if got, err := F64.Encode(x); err != nil || got != math.Float64bits(x) && !math.IsNaN(x) {
			r.Fatalf("%v encodes as %#x, %v as f64", x, got, err)
		}
		if back, err := F64.Decode(math.Float64bits(x)); err != nil || back != x && !math.IsNaN(x) {
			r.Fatalf("%v decodes as %v, %v from f64", x, back, err)
		}
	})
}

// bf16 and tf32 are f32 with fewer bits of mantissa. For numbers that are f32 already, the common formula gives the
// code: add half of the last kept bit, and take the upper bits.
func TestShortenedF32(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := rapid.Uint32().Draw(r, "bits")
		x := float64(math.Float32frombits(b))
		if math.IsNaN(x) {
			return
		}
		for typ, drop := range map[Type]int{BF16: 16, TF32: 13} {
			want := uint64(b)
			want = (want + 1<<(drop-1) - 1 + want>>drop&1) >> drop
			if typ == TF32 {
				want <<= 13
			}
			if got, err := typ.Encode(x); err != nil || got != want {
				r.Fatalf("%v: %v encodes as %#x, %v; the upper bits are %#x", typ, x, got, err, want)
			}
		}
		// A tensor core ignores the lower bits of a tf32.
		if x, err := TF32.Decode(uint64(b)); err != nil || x != float64(math.Float32frombits(b&^0x1fff)) {
			if !math.IsNaN(float64(math.Float32frombits(b &^ 0x1fff))) {
				r.Fatalf("%#x decodes as %v, %v", b, x, err)
			}
		}
	})
}

// An integer is rounded once, from all of its 64 bits.
func TestEncodeIntRoundsOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		x := rapid.Int64().Draw(r, "x")
		got, err := F32.EncodeInt(x)
		if err != nil {
			r.Fatal(err)
		}
		want, _ := new(big.Float).SetPrec(64).SetInt64(x).Float32()
		if math.Float32frombits(uint32(got)) != want {
			r.Fatalf("%d encodes as %v, it is %v", x, math.Float32frombits(uint32(got)), want)
		}
		for _, typ := range []Type{S64, S32, S16, S8, S4, S2, U64, U32, U8, U1} {
			c, err := typ.EncodeInt(x)
			if err != nil {
				continue
			}
			if back, err := typ.DecodeInt(c); err != nil || back != x {
				r.Fatalf("%v: %d encodes as %#x, which is %d, %v", typ, x, c, back, err)
			}
		}
	})
}

// These codes are given in documents.
func TestKnownCodes(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		typ  Type
		code uint64
		want float64
	}{
		{F16, 0x3c00, 1},
		{F16, 0x7bff, 65504},
		{F16, 1, 0x1p-24},
		{F16, 0x7c00, inf},
		{BF16, 0x3f80, 1},
		{BF16, 0xff80, -inf},
		{TF32, 0x3f800000, 1},
		{TF32, 0x3f801fff, 1},
		{TF32, 0x3f802000, 1 + 0x1p-10},
		{E4M3, 0x7e, 448},
		{E4M3, 0x7f, nan},
		{E4M3, 0xff, nan},
		{E4M3, 1, 0x1p-9},
		{E4M3, 0x38, 1},
		{E5M2, 0x7b, 57344},
		{E5M2, 0x7c, inf},
		{E5M2, 0x7d, nan},
		{E5M2, 1, 0x1p-16},
		{UE4M3, 0x7e, 448},
		{UE4M3, 0x7f, nan},
		{UE8M0, 0, 0x1p-127},
		{UE8M0, 127, 1},
		{UE8M0, 254, 0x1p127},
		{UE8M0, 255, nan},
		{E3M2, 0x1f, 28},
		{E3M2, 1, 0.0625},
		{E3M2, 0x3f, -28},
		{E2M3, 0x1f, 7.5},
		{E2M3, 1, 0.125},
		{E2M1, 0, 0},
		{E2M1, 1, 0.5},
		{E2M1, 2, 1},
		{E2M1, 3, 1.5},
		{E2M1, 4, 2},
		{E2M1, 5, 3},
		{E2M1, 6, 4},
		{E2M1, 7, 6},
		{E2M1, 15, -6},
		{E4M3FNUZ, 0x7f, 240},
		{E4M3FNUZ, 0x80, nan},
		{E4M3FNUZ, 1, 0x1p-10},
		{E5M2FNUZ, 0x7f, 57344},
		{E5M2FNUZ, 0x80, nan},
		{S4, 0xf, -1},
		{S4, 8, -8},
		{U4, 0xf, 15},
		{S2, 3, -1},
		{U1, 1, 1},
		{S8, 0x80, -128},
		{S64, 1 << 63, -0x1p63},
		{U64, 1 << 63, 0x1p63},
	} {
		got, err := c.typ.Decode(c.code)
		if err != nil || got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: %#x decodes as %v, %v; want %v", c.typ, c.code, got, err, c.want)
		}
	}
}

// The cases are numbers outside the range of a type, with and without saturation; ok is false if Encode refuses.
func TestOutside(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		typ       Type
		x         float64
		code      uint64
		ok        bool
		saturated uint64
	}{
		{F16, 65519, 0x7bff, true, 0x7bff},
		{F16, 65520, 0x7c00, true, 0x7bff},
		{F16, -inf, 0xfc00, true, 0xfbff},
		{F16, nan, 0x7e00, true, 0x7e00},
		{F32, 1e300, 0x7f800000, true, 0x7f7fffff},
		{BF16, nan, 0x7fc0, true, 0x7fc0},
		{TF32, inf, 0x7f800000, true, 0x7f7fe000},
		{TF32, nan, 0x7fc00000, true, 0x7fc00000},
		{E5M2, 61439, 0x7b, true, 0x7b},
		{E5M2, 61440, 0x7c, true, 0x7b},
		{E5M2, nan, 0x7e, true, 0x7e},
		{E4M3, 464, 0x7e, true, 0x7e},
		{E4M3, 464.5, 0, false, 0x7e},
		{E4M3, -inf, 0, false, 0xfe},
		{E4M3, nan, 0x7f, true, 0x7f},
		{UE4M3, -1, 0, false, 0},
		{UE4M3, math.Copysign(0, -1), 0, true, 0},
		{UE4M3, nan, 0x7f, true, 0x7f},
		{UE4M3, 1e9, 0, false, 0x7e},
		{UE8M0, 0, 0, false, 0},
		{UE8M0, -2, 0, false, 0},
		{UE8M0, 0x1p-140, 0, true, 0},
		{UE8M0, 0x1p128, 0, false, 254},
		{UE8M0, nan, 255, true, 255},
		{UE8M0, 1.5, 128, true, 128},
		{UE8M0, 3, 128, true, 128},
		{UE8M0, 0x1.8p127, 254, true, 254},
		{E2M1, 7, 0, false, 7},
		{E2M1, 6.9, 7, true, 7},
		{E2M1, -100, 0, false, 15},
		{E2M1, nan, 0, false, 7},
		{E2M1, inf, 0, false, 7},
		{E3M2, 30, 0, false, 0x1f},
		{E2M3, 7.75, 0, false, 0x1f},
		{E2M3, nan, 0, false, 0x1f},
		{E4M3FNUZ, 248, 0, false, 0x7f},
		{E4M3FNUZ, -0x1p-20, 0, true, 0},
		{E4M3FNUZ, nan, 0x80, true, 0x80},
		{S8, 127.5, 0, false, 127},
		{S8, 127.4, 127, true, 127},
		{S8, -128.5, 0x80, true, 0x80},
		{S8, -129, 0, false, 0x80},
		{S8, nan, 0, false, 0},
		{S8, 2.5, 2, true, 2},
		{S8, 3.5, 4, true, 4},
		{U8, -0.5, 0, true, 0},
		{U8, -1, 0, false, 0},
		{U8, 256, 0, false, 255},
		{U8, inf, 0, false, 255},
		{S64, 0x1p63, 0, false, math.MaxInt64},
		{S64, -inf, 0, false, 1 << 63},
		{U64, 0x1p64, 0, false, math.MaxUint64},
		{U64, 0x1p63, 1 << 63, true, 1 << 63},
		{U1, 2, 0, false, 1},
	} {
		got, err := c.typ.Encode(c.x)
		var e *Error
		if c.ok && (err != nil || got != c.code) || !c.ok && (!errors.As(err, &e) || e.Code != CodeRange) {
			t.Errorf("%v: Encode(%v) = %#x, %v; want %#x, %v", c.typ, c.x, got, err, c.code, c.ok)
		}
		if got, err := c.typ.EncodeSaturating(c.x); err != nil || got != c.saturated {
			t.Errorf("%v: EncodeSaturating(%v) = %#x, %v; want %#x", c.typ, c.x, got, err, c.saturated)
		}
	}
}

// Codes and types that do not exist are refused with the numbers.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"code", second(E2M1.Decode(16)), "range: 0x10 has bits beyond the 4 of e2m1"},
		{"code without sign", second(UE4M3.Decode(0x80)), "range: 0x80 has bits beyond the 7 of ue4m3"},
		{"raw", second(B16.Decode(1)), "type: b16 is 16 bits without a meaning: name a type of that width"},
		{"raw", second(B128.Encode(1)), "type: b128 is 128 bits without a meaning: name a type of that width"},
		{"none", second(Type(0).Decode(1)), "type: Type(0) is no element type"},
		{"none", second(Type(200).EncodeInt(1)), "type: Type(200) is no element type"},
		{"s64", second(S64.Decode(1<<53 + 1)), "range: 9007199254740993 is no float64: it has more than 53 significant bits"},
		{"s64", second(S64.Decode(math.MaxInt64)), "range: 9223372036854775807 is no float64: it has more than 53 significant bits"},
		{"u64", second(U64.Decode(math.MaxUint64)), "range: 18446744073709551615 is no float64: it has more than 53 significant bits"},
		{"u64", second(U64.DecodeInt(math.MaxUint64)), "range: 18446744073709551615 is beyond the largest int64, 9223372036854775807"},
		{"fraction", second(F16.DecodeInt(0x3800)), "range: 0.5, the value of 0x3800 as f16, is no int64"},
		{"nan", second(F16.DecodeInt(0x7e00)), "range: NaN, the value of 0x7e00 as f16, is no int64"},
		{"u8", second(U8.Encode(-1)), "range: -1 is not near a value of u8: they reach from 0 to 255"},
		{"s8", second(S8.EncodeInt(-200)), "range: -200 is not near a value of s8: they reach from -128 to 127"},
		{"e4m3", second(E4M3.Encode(1000)), "range: 1000 is beyond the largest value of e4m3, 448, and there is no infinity"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
