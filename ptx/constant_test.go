package ptx

import (
	"math"
	"strings"
	"testing"
)

func single(v float32) Bits32 { return Bits32(math.Float32bits(v)) }
func double(v float64) Bits64 { return Bits64(math.Float64bits(v)) }

// Forms of numbers and expressions (PTX ISA 4.5), with their values.
var constants = []struct {
	src  string
	want Operand
}{
	{"0", Int(0)},
	{"42U", Int(42)},
	{"0x7fffFFFF", Int(math.MaxInt32)},
	{"0XffffffffffffffffU", Int(-1)},
	{"18446744073709551615", Int(-1)},
	{"9223372036854775807", Int(math.MaxInt64)},
	{"-9223372036854775808", Int(math.MinInt64)},
	{"017", Int(15)},
	{"0b1011U", Int(11)},
	{"0f3f800000", single(1)},
	{"0F7FC00001", Bits32(0x7fc00001)},
	{"-0f3f800000", single(-1)},
	{"0D3ff0000000000000", double(1)},
	{"1.", double(1)},
	{".5", double(0.5)},
	{"1.25e2", double(125)},
	{"1e-3", double(1e-3)},
	{"1E+3", double(1e3)},
	{"-1.5", double(-1.5)},
	{"1 + 2 * 3 - 4 / 2 % 2", Int(7)},
	{"(1 + 2) * 3", Int(9)},
	{"10 - 3 - 2", Int(5)},
	{"1 << 2 << 3", Int(32)},
	{"1 << 64", Int(0)},
	{"-1 >> 70", Int(-1)},
	{"-8 >> 1", Int(-4)},
	{"(.u64)-8 >> 1", Int(math.MaxInt64 - 3)},
	{"-7 / 2", Int(-3)},
	{"-7 % 3", Int(0)}, // the remainder of 2^64 - 7
	{"-1 % 10", Int(5)},
	{"-7 / 2U", Int((math.MaxUint64 - 6) / 2)},
	{"-7 % 2U", Int(1)},
	{"(.s64)0xffffffffffffffff / 2", Int(0)},
	{"-9223372036854775808 / -1", Int(0)}, // unsigned: the number does not fit in .s64
	{"(-9223372036854775807 - 1) / -1", Int(math.MinInt64)},
	{"(-9223372036854775807 - 1) % -1", Int(math.MinInt64)},
	{"-1 < 1", Int(1)},
	{"-1 < 1U", Int(0)},
	{"1 >= 1 == 1", Int(1)},
	{"1 != 1", Int(0)},
	{"2 > 1 && 1 <= 0 || 0", Int(0)},
	{"6 & 3 ^ 1 | 8", Int(11)},
	{"3 ^ 1 & 2", Int(3)},
	{"1 | 3 ^ 1", Int(3)},
	{"2 & 2 == 2", Int(0)},
	{"0 && 0 | 1", Int(0)},
	{"1 || 0 && 0", Int(1)},
	{"1 + 1 << 2", Int(8)},
	{"1 << 1 < 3", Int(1)},
	{"1 == 2 < 3", Int(1)},
	{"!0 + !5", Int(1)},
	{"~0 - +1", Int(-2)},
	{"~0 / 2", Int(math.MaxInt64)}, // a complement is unsigned
	{"~0 > 0", Int(1)},
	{"- - 3", Int(3)},
	{"--3", Int(3)},
	{"1 ? 2 : 3", Int(2)},
	{"0 ? 2 : 0 ? 3 : 4", Int(4)},
	{"1.5 * 2.0 + 1.0 / 4.0 - 0.25", double(3)},
	{"1.5 < 2.0", Int(1)},
	{"1.0 == 0d3FF0000000000000 ? 7 : 8", Int(7)},
	{"WARP_SZ", Int(32)},
	{"WARP_SZ * 2", Int(64)},
	{"WARP_SZ - 1", Int(31)},
	{"(WARP_SZ + 1) / 2", Int(16)},
	{"1 + WARP_SZ", Int(33)},
	{"-WARP_SZ", Int(-32)},
	{"~WARP_SZ & 63", Int(31)},
	{"WARP_SZ == 32 ? WARP_SZ : 0", Int(32)},
	{"a + 4 - 6", Sym{Name: "a", Offset: -2}},
	{"a - 4 * 2", Sym{Name: "a", Offset: -8}},
	{"a + 0", Name("a")},
	{"generic(a + 4) + 4", Sym{Name: "a", Offset: 8, Generic: true}},
	{"0xff00(a)", Sym{Name: "a", Mask: 0xff00}},
	{"0xff(generic(a) + 8)", Sym{Name: "a", Generic: true, Offset: 8, Mask: 0xff}},
	{"0xff(1000 + 546)", Int(0x0a)},
	{"0xff00((1 << 15) + WARP_SZ)", Int(0x80)},
	{"0xff00000000000000(-1)", Int(0xff)},
	{"0xff(generic)", Sym{Name: "generic", Mask: 0xff}},
}

func TestConstants(t *testing.T) {
	t.Parallel()
	for _, row := range constants {
		m, err := Parse(".version 8.0 .target sm_90 .global .b64 x = " + row.src + ";")
		if err != nil {
			t.Errorf("%s: %v", row.src, err)
			continue
		}
		if got := m.Decls[0].(*Var).Init; got != row.want {
			t.Errorf("%s is %v (%T), want %v", row.src, got, got, row.want)
		}
	}
}

// TestWarpSize checks that WARP_SZ is read as 32 wherever an integer constant may be.
func TestWarpSize(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ src, want string }{
		{".reg .b32 %r<WARP_SZ>;", ".reg .b32 %r<32>;"},
		{".shared .b8 s[WARP_SZ][WARP_SZ*2];", ".shared .b8 s[32][64];"},
		{".local .align WARP_SZ .b8 s[4];", ".local .align 32 .b8 s[4];"},
		{"mov.b64 %d, {WARP_SZ, -WARP_SZ};", "mov.b64 %d, {32, -32};"},
		{"ld.shared.b32 %r, [s+WARP_SZ];", "ld.shared.b32 %r, [s+32];"},
		{"ld.shared.b32 %r, [WARP_SZ];", "ld.shared.b32 %r, [32];"},
		{"ld.shared.b32 %r, [s-4*WARP_SZ];", "ld.shared.b32 %r, [s+-128];"},
		{"call f, (WARP_SZ, %r);", "call f, (32, %r);"},
		{"mov.u32 %r, s[WARP_SZ];", "mov.u32 %r, s[32];"},
		{"add.u32 %r, WARP_SZ, WARP_SZ;", "add.u32 %r, 32, 32;"},
	} {
		m, err := Parse(".version 8.0 .target sm_90 .entry f() {" + row.src + "}")
		if err != nil {
			t.Errorf("%s: %v", row.src, err)
			continue
		}
		if got := m.Func("f").Body.Stmts[0].String(); got != row.want {
			t.Errorf("%s is %s, want %s", row.src, got, row.want)
		}
	}
}

// TestLongSources checks that hostile sources take time linear in their length. With quadratic time, each of these
// sources would take minutes.
func TestLongSources(t *testing.T) {
	t.Parallel()
	const n = 200_000
	rep := strings.Repeat
	for name, src := range map[string]string{
		"loose modifiers": "{ld" + rep(" .a", n) + ";}",
		"labels":          "{" + rep("a:", n) + "}",
		"additions":       "{mov x, 1" + rep("+1", n) + ";}",
		"offsets":         "{mov x, a" + rep("+1", n) + ";}",
		"shifts":          "{mov x, 1" + rep("<<1", n) + ";}",
		"braces":          "{mov x" + rep(", {}", n) + ";}",
		"places":          "{.loc 1 2 3" + rep(", function_name f, inlined_at 1 2 3", n/10) + "}",
		"extents":         "{.local .b8 a" + rep("[1]", n) + ";}",
		"attributes":      "{.global .attribute(.unified(1" + rep(",1", n) + ")) .b8 a;}",
		"comments":        "{" + rep("/**/", n) + "}",
		"blocks":          "{" + rep("{}", n) + "}",
		"names":           "{.reg .b32 a" + rep(",b", n) + ";}",
		"no end":          "{mov x, 1" + rep("\n", n),
	} {
		m, err := Parse(".version 8.0 .target sm_90 .entry f() " + src)
		switch {
		case name == "no end":
			if err == nil || m != nil {
				t.Errorf("%s is read", name)
			}
		case err != nil:
			t.Errorf("%s: %.300v", name, err)
		case len(m.String()) == 0:
			t.Errorf("%s has no text", name)
		}
	}
	if _, err := Parse(rep(" ", MaxSource+1)); err == nil || err.(*Error).Code != CodeLimit {
		t.Errorf("a source that is too long gives %v", err)
	}
}
