package triton

// This file writes encodings as records, with the fields in the order in which Triton prints them. Fields with a
// default value that Triton omits are omitted here, too.

// Record returns blocked{sizePerThread, threadsPerWarp, warpsPerCTA, order}.
func (e *blocked) Record() Record {
	var w writer
	w.ints("sizePerThread", e.SizePerThread)
	w.ints("threadsPerWarp", e.ThreadsPerWarp)
	w.ints("warpsPerCTA", e.WarpsPerCTA)
	w.dims("order", e.Order)
	w.cga(&e.CGA)
	return Record{"blocked", w}
}

// Record returns nvidia_mma{versionMajor, versionMinor, warpsPerCTA, instrShape}.
func (e *nvidiaMMA) Record() Record {
	var w writer
	w.add("versionMajor", int64(e.VersionMajor))
	w.add("versionMinor", int64(e.VersionMinor))
	w.ints("warpsPerCTA", e.WarpsPerCTA)
	w.cga(&e.CGA)
	w.ints("instrShape", e.InstrShape)
	return Record{"nvidia_mma", w}
}

// Record returns dot_op{opIdx, parent, kWidth}, without a kWidth of 0.
func (e *dotOperand) Record() Record {
	var w writer
	w.add("opIdx", int64(e.OpIdx))
	w.addNested("parent", e.Parent)
	if e.KWidth != 0 {
		w.add("kWidth", e.KWidth)
	}
	return Record{"dot_op", w}
}

// Record returns slice{dim, parent}.
func (e *slice) Record() Record {
	var w writer
	w.add("dim", int64(e.Dim))
	w.addNested("parent", e.Parent)
	return Record{"slice", w}
}

// Record returns amd_mfma{version, warpsPerCTA, instrShape, isTransposed}, and tilesPerWarp and elementBitWidth if they
// are given.
func (e *mfma) Record() Record {
	var w writer
	w.add("version", int64(e.Version))
	w.ints("warpsPerCTA", e.WarpsPerCTA)
	w.ints("instrShape", e.InstrShape)
	w.add("isTransposed", e.IsTransposed)
	w.cga(&e.CGA)
	if len(e.TilesPerWarp) > 0 {
		w.ints("tilesPerWarp", e.TilesPerWarp)
	}
	if e.ElementBitWidth != 0 {
		w.add("elementBitWidth", e.ElementBitWidth)
	}
	return Record{"amd_mfma", w}
}

// Record returns amd_wmma{version, isTranspose, ctaLayout, instrShape}, with warpsPerCTA in place of ctaLayout if it is
// given.
func (e *wmma) Record() Record {
	var w writer
	w.add("version", int64(e.Version))
	w.add("isTranspose", e.IsTransposed)
	if len(e.WarpsPerCTA) > 0 {
		w.ints("warpsPerCTA", e.WarpsPerCTA)
		if len(e.TilesPerWarp) > 0 {
			w.ints("tilesPerWarp", e.TilesPerWarp)
		}
	} else {
		var cta writer
		if len(e.Register) > 0 {
			cta.bases("register", e.Register)
		}
		cta.bases("warp", e.Warp)
		w.add("ctaLayout", Record{"", cta})
	}
	w.cga(&e.CGA)
	if len(e.InstrShape) > 0 {
		w.ints("instrShape", e.InstrShape)
	}
	return Record{"amd_wmma", w}
}

// Record returns linear{register, lane, warp, block}, or generic_linear with Generic.
func (e *distributedLinear) Record() Record {
	var w writer
	w.bases("register", e.Register)
	w.bases("lane", e.Lane)
	w.bases("warp", e.Warp)
	w.bases("block", e.Block)
	if e.Generic {
		return Record{"generic_linear", w}
	}
	return Record{"linear", w}
}

// Record returns sm120_dot_scaled_scale{opIdx, warpsPerCTA}.
func (e *sm120DotScaledScale) Record() Record {
	var w writer
	w.add("opIdx", int64(e.OpIdx))
	w.ints("warpsPerCTA", e.WarpsPerCTA)
	w.cga(&e.CGA)
	return Record{opScale, w}
}

// Record returns swizzled_shared{vec, perPhase, maxPhase, order}.
func (e *swizzledShared) Record() Record {
	var w writer
	w.add("vec", e.Vec)
	w.add("perPhase", e.PerPhase)
	w.add("maxPhase", e.MaxPhase)
	w.dims("order", e.Order)
	w.cga(&e.CGA)
	return Record{"swizzled_shared", w}
}

// Record returns amd_rotating_shared{vec, perPhase, maxPhase, order}.
func (e *amdRotatingShared) Record() Record {
	r := (*swizzledShared)(e).Record()
	r.Name = "amd_rotating_shared"
	return r
}

// Record returns nvmma_shared{swizzlingByteWidth, transposed, elementBitWidth}, with fp4Padded and rank if they are
// given.
func (e *nvmmaShared) Record() Record {
	var w writer
	w.add("swizzlingByteWidth", e.SwizzlingByteWidth)
	w.add("transposed", e.Transposed)
	w.add("elementBitWidth", e.ElementBitWidth)
	if e.FP4Padded {
		w.add("fp4Padded", true)
	}
	if e.Rank != 0 {
		w.add("rank", int64(e.Rank))
	}
	w.cga(&e.CGA)
	return Record{"nvmma_shared", w}
}

// Record returns padded_shared{intervals, order, shape}, with offset and block in place of order and shape if they are
// given.
func (e *PaddedShared) Record() Record {
	var w writer
	pairs := make([]any, 0, len(e.Intervals))
	for i, n := range e.Intervals {
		if i < len(e.Paddings) {
			pairs = append(pairs, pair{n, e.Paddings[i]}.text())
		}
	}
	w.add("intervals", pairs)
	if len(e.Offset)+len(e.Block) > 0 {
		w.bases("offset", e.Offset)
		w.bases("block", e.Block)
	}
	if len(e.Order) > 0 {
		w.dims("order", e.Order)
	}
	if len(e.Shape) > 0 {
		w.ints("shape", e.Shape)
	}
	return Record{"padded_shared", w}
}

// Record returns partitioned_shared{numPartitions, numGroups, partitionDim, partitionLayout}.
func (e *partitionedShared) Record() Record {
	var w writer
	w.add("numPartitions", e.NumPartitions)
	w.add("numGroups", e.NumGroups)
	w.add("partitionDim", int64(e.PartitionDim))
	w.addNested("partitionLayout", e.PartitionLayout)
	return Record{"partitioned_shared", w}
}

// Record returns shared_linear{offset, block}, with alignment if it is given.
func (e *sharedLinear) Record() Record {
	var w writer
	w.bases("offset", e.Offset)
	w.bases("block", e.Block)
	if e.Alignment != 0 {
		w.add("alignment", e.Alignment)
	}
	return Record{"shared_linear", w}
}

// Record returns tensor_memory{blockM, blockN, colStride}, with twoCTAs and fp4Padded if they are set.
func (e *TensorMemory) Record() Record {
	var w writer
	w.add("blockM", e.BlockM)
	w.add("blockN", e.BlockN)
	w.add("colStride", e.ColStride)
	w.cga(&e.CGA)
	if e.TwoCTAs {
		w.add("twoCTAs", true)
	}
	if e.FP4Padded {
		w.add("fp4Padded", true)
	}
	return Record{"tensor_memory", w}
}

// Record returns tensor_memory_scales{}, with blockRepOrder=kThenMn if KThenMN is set.
func (e *tensorMemoryScales) Record() Record {
	var w writer
	w.cga(&e.CGA)
	if e.KThenMN {
		w.add("blockRepOrder", "kThenMn")
	}
	return Record{"tensor_memory_scales", w}
}

// Record returns scale_smem_for_tmem_copy{}.
func (e *scaleSharedForTMEMCopy) Record() Record {
	var w writer
	w.cga(&e.CGA)
	return Record{opScaleShared, w}
}

// String returns the record as text.
func (e *blocked) String() string { return e.Record().String() }

// String returns the record as text.
func (e *nvidiaMMA) String() string { return e.Record().String() }

// String returns the record as text.
func (e *dotOperand) String() string { return e.Record().String() }

// String returns the record as text.
func (e *slice) String() string { return e.Record().String() }

// String returns the record as text.
func (e *mfma) String() string { return e.Record().String() }

// String returns the record as text.
func (e *wmma) String() string { return e.Record().String() }

// String returns the record as text.
func (e *distributedLinear) String() string { return e.Record().String() }

// String returns the record as text.
func (e *sm120DotScaledScale) String() string { return e.Record().String() }

// String returns the record as text.
func (e *swizzledShared) String() string { return e.Record().String() }

// String returns the record as text.
func (e *amdRotatingShared) String() string { return e.Record().String() }

// String returns the record as text.
func (e *nvmmaShared) String() string { return e.Record().String() }

// String returns the record as text.
func (e *PaddedShared) String() string { return e.Record().String() }

// String returns the record as text.
func (e *partitionedShared) String() string { return e.Record().String() }

// String returns the record as text.
func (e *sharedLinear) String() string { return e.Record().String() }

// String returns the record as text.
func (e *TensorMemory) String() string { return e.Record().String() }

// String returns the record as text.
func (e *tensorMemoryScales) String() string { return e.Record().String() }

// String returns the record as text.
func (e *scaleSharedForTMEMCopy) String() string { return e.Record().String() }
