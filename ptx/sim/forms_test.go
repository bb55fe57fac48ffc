package sim_test

import (
	"testing"

	"girih/ptx/sim"
)

// TestForms checks that instructions are refused which rows could read, but which PTX does not have: ptxas 13.0 refuses
// each of them for sm_90a, sm_100a and sm_120a.
func TestForms(t *testing.T) {
	t.Parallel()
	const values = "mov.b32 %r3, 0; mov.b16 %rs1, 0; mov.f32 %f1, 0f00000000; mov.f64 %fd1, 0d0000000000000000; " +
		"setp.eq.u32 %p3, 0, 0; mov.b128 %q1, {%rd1, %rd1}; "
	var list []piece
	for text, reason := range map[string]string{
		"popc.u32 %r2, %r3":                                                 "PTX has no popc.u32: the nearest form is popc.[b32|b64]",
		"and.u32 %r2, %r3, %r3":                                             "the nearest form is and.[b16|b32|b64|pred]",
		"shl.s32 %r2, %r3, 1":                                               "the nearest form is shl.[b16|b32|b64]",
		"brev.b128 %q1, %q1":                                                "the nearest form is brev.[b32|b64]",
		"add.sat.u32 %r2, %r3, %r3":                                         ".sat is not known",
		"add.cc.sat.s32 %r2, %r3, %r3":                                      "the modifier .sat is not known",
		"mad.lo.sat.s32 %r2, %r3, %r3, %r3":                                 ".sat is not known",
		"mul24.lo.u16 %rs1, %rs1, %rs1":                                     "the nearest form is mul24.lo.[u32|s32]",
		"min.relu.u32 %r2, %r3, %r3":                                        ".relu is not known",
		"add.sat.u16x2 %r2, %r3, %r3":                                       ".sat is not known",
		"prmt.b64 %rd3, %rd1, %rd1, %r3":                                    "the nearest form is prmt.b32",
		"shf.l.b32 %r2, %r3, %r3, 1":                                        "the nearest form is shf.l.[clamp|wrap].b32",
		"szext.u32 %r2, %r3, 1":                                             "the nearest form is szext.[clamp|wrap].u32",
		"dp2a.u32.u32 %r2, %r3, %r3, %r3":                                   "the nearest form is dp2a.[lo|hi].u32.u32",
		"add.ftz.bf16 %rs1, %rs1, %rs1":                                     "no add.ftz.bf16",
		"add.rz.f16 %rs1, %rs1, %rs1":                                       "no add.rz.f16",
		"fma.rn.sat.relu.f16 %rs1, %rs1, %rs1, %rs1":                        "no fma.rn.sat.relu.f16",
		"min.NaN.f64 %fd1, %fd1, %fd1":                                      ".NaN is not known",
		"tanh.approx.ftz.f32 %f1, %f1":                                      "no tanh.approx.ftz.f32",
		"add.rn.rn.f32 %f1, %f1, %f1":                                       "no add.rn.rn.f32",
		"setp.lt.b32 %p1, %r3, %r3":                                         "the nearest form is setp.[eq|ne].b32",
		"setp.lo.s32 %p1, %r3, %r3":                                         "no setp.lo.s32",
		"setp.lt.f16 %p1|%p2, %rs1, %rs1":                                   "a comparison of .f16 has one predicate",
		"setp.lt.s32 %p1, %r3, %r3, %p3":                                    "a predicate goes with .and, .or or .xor",
		"set.lt.u64.s32 %rd3, %r3, %r3":                                     "no set.lt.u64.s32",
		"selp.f16 %rs1, %rs1, %rs1, %p3":                                    "no selp.f16",
		"slct.u32.u32 %r2, %r3, %r3, %r3":                                   "no slct.u32.u32",
		"mov.f16 %rs1, %rs1":                                                "no mov.f16",
		"shfl.sync.idx.b64 %rd3, %rd1, 0, 31, -1":                           "the nearest form is shfl.sync.idx.b32",
		"match.any.sync.b32 %r2|%p1, %r3, -1":                               "a predicate goes with .all only",
		"redux.sync.and.u32 %r2, %r3, -1":                                   "no redux.sync.and.u32",
		"redux.sync.abs.f32 %r2, %r3, -1":                                   "the nearest form is redux.sync.[min|max].abs.f32",
		"redux.add.u32 %r2, %r3, -1":                                        "the nearest form is redux.sync.add.u32",
		"elect.sync %r2, -1":                                                "expected a register and a predicate",
		"cvt.sat.u32.u16 %r2, %rs1":                                         "the nearest form is cvt.u32.u16",
		"cvt.rni.sat.s16.bf16 %rs1, %rs1":                                   "no cvt.rni.sat.s16.bf16",
		"cvt.rn.f64.f32 %fd1, %f1":                                          "no cvt.rn.f64.f32",
		"cvt.ftz.u32.u32 %r2, %r3":                                          "no cvt.ftz.u32.u32",
		"mov.u32 %r2, {%rs1, %rs1}":                                         "expected a type of bits to pack or unpack",
		"add.u32 %r2, %rd1, %r3":                                            "operand %rd1 has 64 bits, expected 32",
		"mul.wide.s32 %r2, %r3, %r3":                                        "operand %r2 has 32 bits, expected 64",
		"shl.b64 %rd3, %rd1, %rd1":                                          "operand %rd1 has 64 bits, expected 32",
		"setp.eq.u64 %p1, %rd1, %r3":                                        "operand %r3 has 32 bits, expected 64",
		"nanosleep.u64 %rd1":                                                "the nearest form is nanosleep.u32",
		"vset.u32.u32.eq.sat %r2, %r3, %r3":                                 "the nearest form is vset.eq.u32.u32",
		"vadd4.s16.u32.u32 %r2, %r3, %r3, %r3":                              "no vadd4.s16.u32.u32",
		"red.global.exch.b32 [%rd1], %r3":                                   "no red.global.exch.b32",
		"red.acquire.gpu.global.add.u32 [%rd1], %r3":                        "no red.acquire.gpu.global.add.u32",
		"atom.global.exch.u32 %r2, [%rd1], %r3":                             "the nearest form is atom.global.exch.[b32|b64]",
		"atom.global.add.f16 %rs1, [%rd1], %rs1":                            "no atom.global.add.f16",
		"atom.global.add.noftz.u32 %r2, [%rd1], %r3":                        "no atom.global.add.noftz.u32",
		"atom.global.min.f32 %f1, [%rd1], %f1":                              "no atom.global.min.f32",
		"ld.global.f16 %rs1, [%rd1]":                                        "no ld.global.f16",
		"ld.global.wb.u32 %r2, [%rd1]":                                      "no ld.global.wb.u32",
		"ld.release.gpu.global.u32 %r2, [%rd1]":                             "no ld.release.gpu.global.u32",
		"ld.relaxed.global.u32 %r2, [%rd1]":                                 "the nearest form is ld.relaxed.[cta|cluster|gpu|sys].global.u32",
		"ld.volatile.global.nc.u32 %r2, [%rd1]":                             "no ld.volatile.global.nc.u32",
		"ld.shared.v8.b32 {%r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9}, [tile]": "32 bytes at once are for .global",
		"st.global.v2.b128 [%rd1], {%q1, %q1}":                              "2 values of type .b128",
		"ld.volatile.local.u32 %r2, [%rd1]":                                 "the nearest form is",
		"st.global.nc.u32 [%rd1], %r3":                                      "no st.global.nc.u32",
		"st.acquire.gpu.global.u32 [%rd1], %r3":                             "no st.acquire.gpu.global.u32",
	} {
		list = append(list, piece{body: values + text + ";", kind: sim.KindUnsupported, text: reason})
	}
	// An instruction of newer targets is refused if the module is for an older target.
	for text, target := range map[string]string{
		"add.rn.f32x2 %rd3, %rd1, %rd1":              "sm_90a",
		"min.f32 %f1, %f1, %f1, %f1":                 "sm_90a",
		"fma.rn.f32.bf16 %f1, %rs1, %rs1, %f1":       "sm_90",
		"redux.sync.max.f32 %r2, %r3, -1":            "sm_90a",
		"cvt.rn.satfinite.e2m3x2.f32 %rs1, %f1, %f1": "sm_90a",
	} {
		reason := "needs sm_100, and the module is for " + target
		body := values + text + ";"
		list = append(list, piece{body: body, target: target, version: "9.0", kind: sim.KindUnsupported, text: reason})
	}
	pieces(t, list)
}
