package triton

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
)

// This file reads the fields of each encoding.

func readBlocked(f *fieldReader) Encoding {
	return &blocked{
		f.needInts("sizePerThread"), f.needInts("threadsPerWarp"), f.needInts("warpsPerCTA"), f.needDims("order"), f.cga(),
	}
}

func readNvidiaMMA(f *fieldReader) Encoding {
	e := new(nvidiaMMA)
	if v := f.dims("version"); len(v) == 2 { // Gluon
		e.VersionMajor, e.VersionMinor = v[0], v[1]
		f.intOr(0, "versionMajor")
	} else {
		if len(v) != 0 {
			f.fail(cute.CodeRank, "expected a major and a minor number in version, found %v", v)
		}
		e.VersionMajor = f.dim("versionMajor")
		e.VersionMinor = f.small("versionMinor", f.intOr(0, "versionMinor"))
	}
	e.WarpsPerCTA, e.InstrShape, e.CGA = f.needInts("warpsPerCTA"), f.needInts("instrShape"), f.cga()
	return e
}

func readDot(f *fieldReader) Encoding {
	return &dotOperand{f.dim("opIdx", "operand_index"), f.encoding("parent"), f.intOr(0, "kWidth")}
}

func readSlice(f *fieldReader) Encoding {
	return &slice{f.dim("dim"), f.encoding("parent")}
}

func readMFMA(f *fieldReader) Encoding {
	f.intOr(0, "versionMinor") // an older field, like versionMajor
	return &mfma{
		Version: f.dim("version", "versionMajor"), WarpsPerCTA: f.needInts("warpsPerCTA"),
		InstrShape: f.needInts("instrShape"), IsTransposed: f.flag("isTransposed", "transposed", "isTranspose"),
		TilesPerWarp: f.ints("tilesPerWarp"), ElementBitWidth: f.intOr(0, "elementBitWidth"), CGA: f.cga(),
	}
}

func readWMMA(f *fieldReader) Encoding {
	e := &wmma{
		Version: f.dim("version"), IsTransposed: f.flag("isTranspose", "isTransposed", "transposed"),
		TilesPerWarp: f.ints("tilesPerWarp"), Warp: f.bases("warp_bases"), Register: f.bases("reg_bases"),
		InstrShape: f.ints("instrShape"), CGA: f.cga(),
	}
	f.intOr(0, "rank")
	if v, ok := f.find("warpsPerCTA"); ok {
		// AMDWMMALayout's third argument, in the same place, is a list of bases instead.
		if e.WarpsPerCTA, ok = intList(v); !ok {
			if e.Warp, ok = basesOf(v); !ok {
				f.wrong("warpsPerCTA", "a list of numbers", v)
			}
		}
	}
	if v, ok := f.find("ctaLayout"); ok {
		r, ok := v.(Record)
		if !ok {
			f.wrong("ctaLayout", "{register=[...], warp=[...]}", v)
			return e
		}
		inner := &fieldReader{op: f.op, fields: r.Fields, used: make([]bool, len(r.Fields))}
		e.Register, e.Warp = inner.bases("register"), inner.bases("warp")
		if err := inner.finish(); err != nil && f.err == nil {
			f.err = err
		}
	}
	return e
}

// readLinear reads the bases of registers. A record named linear that has offsets describes shared memory.
func readLinear(f *fieldReader) Encoding {
	if slices.ContainsFunc(f.fields, func(x Field) bool { return strings.HasPrefix(fold(x.Key), offset) }) {
		return readSharedLinear(f)
	}
	return readGeneric(f).plain()
}

func readGeneric(f *fieldReader) *distributedLinear {
	e := &distributedLinear{
		f.bases("register", "reg_bases"), f.bases("lane", "lane_bases"), f.bases("warp", "warp_bases"),
		f.bases("block", "block_bases"), true,
	}
	f.ints("shape")
	return e
}

func (e *distributedLinear) plain() Encoding {
	e.Generic = false
	return e
}

func readSharedLinear(f *fieldReader) Encoding {
	return &sharedLinear{f.bases("offset", "offset_bases"), f.bases("block", "block_bases"), f.intOr(0, "alignment")}
}

func readScale(f *fieldReader) Encoding {
	return &sm120DotScaledScale{f.dim("opIdx", "operand_index"), f.needInts("warpsPerCTA"), f.cga()}
}

func readSwizzled(f *fieldReader) Encoding {
	return &swizzledShared{f.int("vec", "vectorSize"), f.int("perPhase"), f.int("maxPhase"), f.needDims("order"), f.cga()}
}

func readRotating(f *fieldReader) Encoding {
	return (*amdRotatingShared)(readSwizzled(f).(*swizzledShared))
}

// readShared reads the older encoding that Triton split into swizzled_shared and nvmma_shared.
func readShared(f *fieldReader) Encoding {
	leading := f.flag("hasLeadingOffset")
	e := readSwizzled(f).(*swizzledShared)
	if !leading || f.err != nil {
		return e
	}
	width := map[[2]int64]int64{{1, 1}: 0, {4, 2}: 32, {2, 4}: 64, {1, 8}: 128}
	bytes, ok := width[[2]int64{e.PerPhase, e.MaxPhase}]
	if !ok || e.Vec < 1 || 128%e.Vec != 0 {
		f.fail(cute.CodeType,
			"with hasLeadingOffset, expected 1 and 8, 2 and 4, 4 and 2 or 1 and 1 for perPhase and maxPhase and a vec that divides 128, found %d, %d and %d",
			e.PerPhase, e.MaxPhase, e.Vec)
		return e
	}
	return &nvmmaShared{
		SwizzlingByteWidth: bytes, Transposed: e.Order[0] == 0, ElementBitWidth: 128 / e.Vec, Rank: len(e.Order), CGA: e.CGA,
	}
}

func readNVMMA(f *fieldReader) Encoding {
	return &nvmmaShared{
		SwizzlingByteWidth: f.int("swizzlingByteWidth", "swizzle_byte_width"), Transposed: f.flag("transposed"),
		ElementBitWidth: f.int("elementBitWidth"), FP4Padded: f.flag("fp4Padded"), Rank: f.small("rank", f.intOr(0, "rank")),
		CGA: f.cga(),
	}
}

func readPartitioned(f *fieldReader) Encoding {
	return &partitionedShared{f.int("numPartitions"), f.int("numGroups"), f.dim("partitionDim"), f.encoding("partitionLayout")}
}

func readTMEM(f *fieldReader) Encoding {
	e := &TensorMemory{
		ColStride: f.intOr(1, "colStride"), TwoCTAs: f.flag("twoCTAs"), FP4Padded: f.flag("fp4Padded"), CGA: f.cga(),
	}
	if b := f.ints("block"); len(b) == 2 { // Gluon
		e.BlockM, e.BlockN = b[0], b[1]
		return e
	} else if len(b) != 0 {
		f.fail(cute.CodeRank, "expected the rows and columns of a block in block, found %v", b)
	}
	e.BlockM, e.BlockN = f.int("blockM"), f.int("blockN")
	return e
}

func readTMEMScales(f *fieldReader) Encoding {
	e := &tensorMemoryScales{CGA: f.cga()}
	v, ok := f.find("blockRepOrder")
	if !ok {
		return e
	}
	switch fold(strings.Trim(fmt.Sprint(v), "<>")) {
	case "kthenmn":
		e.KThenMN = true
	case "mnthenk":
	default:
		f.wrong("blockRepOrder", "mnThenK or kThenMn", v)
	}
	return e
}

// A pair is an interval and its padding, written 32:+4.
type pair struct{ interval, padding int64 }

func (p pair) text() string { return fmt.Sprintf("%d:+%d", p.interval, p.padding) }

func readPadded(f *fieldReader) Encoding {
	e := &PaddedShared{
		Order: f.dims("order"), Shape: f.ints("shape"),
		Offset: f.bases("offset", "offset_bases"), Block: f.bases("block", "block_bases", "cga_layout"),
	}
	if len(e.Offset)+len(e.Block) > 0 {
		e.Shape = nil // Gluon also states it, but the bases imply it
	}
	v, ok := f.find("intervals", "interval_padding_pairs")
	if !ok {
		f.missing("intervals")
		return e
	}
	list, ok := v.([]any)
	if !ok {
		f.wrong("intervals", "a list of pairs 32:+4", v)
	}
	for _, x := range list {
		p, ok := pairOf(x)
		if !ok {
			f.wrong("intervals", "pairs of an interval and a padding, 32:+4 or [32,4],", x)
			return e
		}
		e.Intervals, e.Paddings = append(e.Intervals, p.interval), append(e.Paddings, p.padding)
	}
	return e
}

// pairOf reads 32:+4 or [32,4].
func pairOf(v any) (pair, bool) {
	if list, ok := intList(v); ok && len(list) == 2 {
		return pair{list[0], list[1]}, true
	}
	interval, padding, ok := strings.Cut(fmt.Sprint(v), ":+")
	n, err1 := strconv.ParseInt(interval, 10, 64)
	p, err2 := strconv.ParseInt(padding, 10, 64)
	return pair{n, p}, ok && err1 == nil && err2 == nil
}
