package dtype

import (
	"strings"
	"testing"
)

func TestParseReadsEverySpelling(t *testing.T) {
	t.Parallel()
	owner := make(map[string]Type)
	for _, typ := range All() {
		for _, name := range typ.Spellings() {
			if other, ok := owner[strings.ToLower(name)]; ok && other != typ {
				t.Errorf("%q is both %v and %v", name, other, typ)
			}
			owner[strings.ToLower(name)] = typ
			for _, s := range []string{name, strings.ToUpper(name), " " + name, "." + name, "cutlass::" + name, "torch." + name} {
				if got, err := Parse(s); err != nil || got != typ {
					t.Errorf("Parse(%q) = %v, %v; want %v", s, got, err, typ)
				}
			}
		}
	}
}

func TestParseAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]Type{
		"f16": F16, "half": F16, "half_t": F16, "fp16": F16, "float16": F16, "Float16": F16, "__half": F16,
		"tl.float16": F16, ".f16": F16,
		"BFloat16": BF16, "bfloat16_t": BF16, "TF32": TF32, "float": F32, "double": F64, "float8e4nv": E4M3, "fp8e5": E5M2,
		"Float8E4M3FN": E4M3, "torch.float8_e4m3fn": E4M3, "float_e2m1_t": E2M1, "fp4": E2M1, "f8E8M0FNU": UE8M0,
		"int": S32, "i8": S8, "uint4b_t": U4, "bin1_t": U1, "bool": U1, "Boolean": U1, "16b": B16, "b128": B128,
		"uint128_t": B128, "uint32_t": U32,
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", ".", "f17", "fp8", "cutlass::", "b3", strings.Repeat("x", 1000)} {
		got, err := Parse(s)
		if err == nil || !strings.Contains(err.Error(), "ue8m0") || len(err.Error()) > 400 {
			t.Errorf("Parse(%.20q) = %v, %v", s, got, err)
		}
	}
}

// Every row of the table is filled in and consistent.
func TestTable(t *testing.T) {
	t.Parallel()
	for _, typ := range All() {
		r := typ.row()
		if r.name == "" || r.bits == 0 || r.kind == 0 {
			t.Errorf("%v has no row", uint8(typ))
		}
		if f := r.format; r.kind == Float && f.signBits()+f.exponent+f.mantissa+f.shift != typ.width() {
			t.Errorf("%v: the fields have not %d bits", typ, typ.width())
		}
		if r.ptx != (typ.PTX() == "."+typ.String()) {
			t.Errorf("%v: PTX has %q", typ, typ.PTX())
		}
	}
}
