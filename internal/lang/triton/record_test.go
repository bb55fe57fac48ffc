package triton_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/triton"

	"pgregory.net/rapid"
)

func wantCode(t *testing.T, err error, code cute.Code, text string) {
	t.Helper()
	var e *cute.Error
	if !errors.As(err, &e) || e.Code != code || err.Error() != string(code)+": "+text {
		t.Errorf("got  %v\nwant %s: %s", err, code, text)
	}
}

// ints returns a list as the value of a field.
func ints(xs ...int64) []any {
	out := make([]any, len(xs))
	for i, x := range xs {
		out[i] = x
	}
	return out
}

// some returns one encoding of each type.
func some() []triton.Encoding {
	block := &triton.Blocked{
		SizePerThread: []int64{1, 4}, ThreadsPerWarp: []int64{8, 4}, WarpsPerCTA: []int64{4, 1}, Order: []int{1, 0},
	}
	mma := &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: []int64{2, 2}, InstrShape: []int64{16, 8}}
	swizzled := &triton.SwizzledShared{Vec: 8, PerPhase: 1, MaxPhase: 8, Order: []int{1, 0}}
	return []triton.Encoding{
		block, mma,
		&triton.DotOperand{OpIdx: 1, Parent: mma, KWidth: 2},
		&triton.DotOperand{OpIdx: 0, Parent: block},
		&triton.Slice{Dim: 0, Parent: &triton.DotOperand{OpIdx: 0, Parent: mma, KWidth: 4}},
		&triton.MFMA{Version: 3, WarpsPerCTA: []int64{4, 1}, InstrShape: []int64{32, 32, 8}, IsTransposed: true},
		&triton.WMMA{Version: 2, WarpsPerCTA: []int64{2, 2}},
		&triton.WMMA{Version: 3, Warp: [][]int64{{0, 1}, {2, 0}}, Register: [][]int64{{1, 0}}, InstrShape: []int64{16, 16, 32}},
		&triton.Linear{Register: [][]int64{{0, 1}}, Lane: [][]int64{{1, 0}}, Warp: [][]int64{{0, 0}}},
		&triton.Linear{Register: [][]int64{{0, 1}}, Lane: [][]int64{{1, 0}}, Warp: [][]int64{{1, 1}}, Generic: true},
		&triton.SM120DotScaledScale{OpIdx: 1, WarpsPerCTA: []int64{2, 2}},
		swizzled, (*triton.AMDRotatingShared)(swizzled),
		&triton.NVMMAShared{SwizzlingByteWidth: 128, ElementBitWidth: 8, FP4Padded: true, Rank: 2},
		&triton.PaddedShared{Intervals: []int64{32, 128}, Paddings: []int64{4, 8}, Order: []int{1, 0}, Shape: []int64{64, 64}},
		&triton.PaddedShared{
			Intervals: []int64{4}, Paddings: []int64{4}, Offset: [][]int64{{0, 1}, {1, 0}, {2, 0}}, Block: [][]int64{{0, 2}},
		},
		&triton.PartitionedShared{NumPartitions: 2, NumGroups: 2, PartitionDim: 1, PartitionLayout: swizzled},
		&triton.SharedLinear{Offset: [][]int64{{0, 1}, {1, 1}}, Alignment: 128},
		&triton.TensorMemory{BlockM: 128, BlockN: 64, ColStride: 2, TwoCTAs: true, CGA: triton.CGA{CGALayout: [][]int64{{1, 0}}}},
		&triton.TensorMemoryScales{KThenMN: true},
		&triton.ScaleSharedForTMEMCopy{
			CGA: triton.CGA{CTAsPerCGA: []int64{2, 1}, CTASplitNum: []int64{2, 1}, CTAOrder: []int{0, 1}},
		},
	}
}

// A record makes the encoding again.
func TestRecordsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, e := range some() {
		r := e.Record()
		again, err := triton.FromRecord(r.Name, r.Fields...)
		if err != nil || again.String() != e.String() {
			t.Errorf("%v reads as %v, %v", e, again, err)
		}
	}
}

func TestGluonsNames(t *testing.T) {
	t.Parallel()
	type F = triton.Field
	block := triton.Record{Name: "BlockedLayout", Fields: []F{
		{"size_per_thread", ints(1, 4)},
		{"threads_per_warp", ints(8, 4)},
		{"warps_per_cta", ints(4, 1)},
		{"order", ints(1, 0)},
		{"cga_layout", []any{ints(1, 0)}},
	}}
	for _, c := range []struct {
		name   string
		fields []F
		want   string
	}{
		{block.Name, block.Fields, "blocked{sizePerThread=[1,4], threadsPerWarp=[8,4], warpsPerCTA=[4,1], order=[1,0], CGALayout=[[1,0]]}"},
		{"SliceLayout", []F{{"dim", 1}, {"parent", block}}, "slice{dim=1, parent=blocked{sizePerThread=[1,4], threadsPerWarp=[8,4], warpsPerCTA=[4,1], order=[1,0], CGALayout=[[1,0]]}}"},
		{"NVMMADistributedLayout", []F{{"version", ints(3, 0)}, {"warps_per_cta", ints(4, 1)}, {"instr_shape", ints(16, 64, 16)}}, "nvidia_mma{versionMajor=3, versionMinor=0, warpsPerCTA=[4,1], instrShape=[16,64,16]}"},
		{"NVMMASharedLayout", []F{{"swizzle_byte_width", 64}, {"element_bitwidth", 16}, {"rank", 2}, {"transposed", true}}, "nvmma_shared{swizzlingByteWidth=64, transposed=true, elementBitWidth=16, rank=2}"},
		{"PaddedSharedLayout", []F{{"interval_padding_pairs", []any{ints(128, 4)}}, {"offset_bases", []any{ints(1)}}, {"cga_layout", []any{}}, {"shape", ints(2)}}, "padded_shared{intervals=[128:+4], offset=[[1]], block=[]}"},
		{"AMDMFMALayout", []F{{"version", 3}, {"instr_shape", ints(32, 32, 8)}, {"transposed", true}, {"warps_per_cta", ints(4, 1)}}, "amd_mfma{version=3, warpsPerCTA=[4,1], instrShape=[32,32,8], isTransposed=true}"},
		{"AMDWMMALayout", []F{{"version", 2}, {"transposed", true}, {"warpsPerCTA", []any{ints(0, 1), ints(1, 0)}}}, "amd_wmma{version=2, isTranspose=true, ctaLayout={warp=[[0,1],[1,0]]}}"},
		{"DistributedLinearLayout", []F{{"reg_bases", []any{ints(0, 1)}}, {"lane_bases", []any{ints(1, 0)}}, {"warp_bases", []any{}}, {"block_bases", []any{}}, {"shape", ints(2, 2)}}, "linear{register=[[0,1]], lane=[[1,0]], warp=[], block=[]}"},
		{"SharedLinearLayout", []F{{"offset_bases", []any{ints(0, 1), ints(1, 0)}}}, "shared_linear{offset=[[0,1],[1,0]], block=[]}"},
		{"linear", []F{{"offset", []any{ints(0, 1), ints(1, 0)}}}, "shared_linear{offset=[[0,1],[1,0]], block=[]}"},
		{"TensorMemoryLayout", []F{{"block", ints(128, 64)}, {"col_stride", 1}}, "tensor_memory{blockM=128, blockN=64, colStride=1}"},
		{"shared", []F{{"vec", 8}, {"perPhase", 1}, {"maxPhase", 8}, {"order", ints(1, 0)}, {"hasLeadingOffset", true}}, "nvmma_shared{swizzlingByteWidth=128, transposed=false, elementBitWidth=16, rank=2}"},
		{"shared", []F{{"vec", 8}, {"perPhase", 1}, {"maxPhase", 8}, {"order", ints(1, 0)}, {"hasLeadingOffset", false}}, "swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}"},
	} {
		e, err := triton.FromRecord(c.name, c.fields...)
		if err != nil || e.String() != c.want {
			t.Errorf("%s%v:\ngot  %v, %v\nwant %s", c.name, c.fields, e, err, c.want)
		}
	}
}

func TestRecordsThatAreRefused(t *testing.T) {
	t.Parallel()
	type F = triton.Field
	for _, c := range []struct {
		name   string
		fields []F
		code   cute.Code
		part   string
	}{
		{"bloked", nil, cute.CodeName, `"bloked" is no encoding: they are amd_mfma, `},
		{"blocked", []F{{"sizePerThread", ints(1)}}, cute.CodeType, "expected the field threadsPerWarp, found none"},
		{"slice", []F{{"dim", 1}, {"parent", triton.Record{Name: "x"}}}, cute.CodeName, `"x" is no encoding`},
		{"slice", []F{{"dim", 1}, {"parent", "#blocked1"}}, cute.CodeType, "expected an encoding for parent, found #blocked1"},
		{"slice", []F{{"dim", true}, {"parent", some()[0]}}, cute.CodeType, "expected a number for dim, found true"},
		{"slice", []F{{"dim", 1}, {"parent", some()[0]}, {"DIM", 1}}, cute.CodeName, `expected the fields dim, parent, each once, found "DIM"`},
		{"slice", []F{{"dim", int64(1) << 40}, {"parent", some()[0]}}, cute.CodeType, "expected a small number for dim, found 1099511627776"},
		{"swizzled_shared", []F{{"vec", 1}, {"perPhase", 1}, {"maxPhase", 1}, {"order", "x"}}, cute.CodeType, "expected a list of numbers for order, found x"},
		{"padded_shared", []F{{"intervals", []any{"32+4"}}, {"order", ints(0)}}, cute.CodeType, "expected pairs of an interval and a padding, 32:+4 or [32,4], for intervals, found 32+4"},
		{"shared", []F{{"vec", 8}, {"perPhase", 2}, {"maxPhase", 8}, {"order", ints(1, 0)}, {"hasLeadingOffset", true}}, cute.CodeType, "expected 1 and 8, 2 and 4, 4 and 2 or 1 and 1"},
		{"amd_wmma", []F{{"version", 2}, {"ctaLayout", triton.Record{Fields: []F{{"lane", ints()}}}}}, cute.CodeName, `expected the fields register, warp, each once, found "lane"`},
		{"nvidia_mma", []F{{"version", ints(3)}, {"warpsPerCTA", ints(1)}, {"instrShape", ints(1)}}, cute.CodeRank, "expected a major and a minor number in version, found [3]"},
		{"tensor_memory_scales", []F{{"blockRepOrder", "kFirst"}}, cute.CodeType, "expected mnThenK or kThenMn for blockRepOrder, found kFirst"},
		{"AutoLayout", nil, cute.CodeType, "the compiler chooses this encoding"},
	} {
		e, err := triton.FromRecord(c.name, c.fields...)
		var ge *cute.Error
		if e != nil || !errors.As(err, &ge) || ge.Code != c.code || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s%v:\ngot  %v, %v\nwant %s: %s", c.name, c.fields, e, err, c.code, c.part)
		}
	}
}

// Any numbers in any fields yield a layout of the tensor's shape or a *cute.Error, and nothing else.
func TestAnyNumbers(t *testing.T) {
	t.Parallel()
	number := rapid.OneOf(rapid.SampledFrom([]int64{
		0, 1, 2, 3, 4, 8, 16, 32, 64, 128, -1, 1 << 30, 1 << 31, 1 << 61, 1 << 62, -1 << 63, 1<<63 - 1,
	}), rapid.Int64())
	rapid.Check(t, func(r *rapid.T) {
		e := rapid.SampledFrom(some()).Draw(r, "encoding")
		var change func(v any) any
		change = func(v any) any {
			switch v := v.(type) {
			case int64:
				if rapid.IntRange(0, 3).Draw(r, "change") == 0 {
					return number.Draw(r, "number")
				}
			case []any:
				out := make([]any, 0, len(v)+1)
				for _, x := range v {
					out = append(out, change(x))
				}
				if rapid.IntRange(0, 19).Draw(r, "longer") == 0 && len(v) > 0 {
					out = append(out, change(v[0]))
				}
				return out
			case triton.Record:
				out := triton.Record{Name: v.Name}
				for _, f := range v.Fields {
					out.Fields = append(out.Fields, triton.Field{Key: f.Key, Value: change(f.Value)})
				}
				return out
			}
			return v
		}
		changed := change(e.Record()).(triton.Record)
		e, err := triton.FromRecord(changed.Name, changed.Fields...)
		shape := rapid.SliceOfN(rapid.OneOf(number, rapid.SampledFrom([]int64{1, 2, 16, 64, 128, 256})), 0, 4).Draw(r, "shape")
		var ge *cute.Error
		if err == nil {
			l, errL := e.Layout(shape...)
			if err = errL; err == nil {
				for d, out := range l.OutDims() {
					if out.Size != shape[d] {
						r.Fatalf("%v on %v has size %d along dim%d", e, shape, out.Size, d)
					}
				}
				return
			}
		}
		if !errors.As(err, &ge) || ge.Code == "" || ge.Msg == "" {
			r.Fatalf("%v on %v: %#v", e, shape, err)
		}
	})
}
