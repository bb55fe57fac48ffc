package tensormap

// A Rule names one requirement of the driver's documentation.
type Rule string

// The rules, in the order of the documentation. [Rule.Says] returns the text, [Rule.Source] the place.
const (
	RuleLengths           Rule = "lengths"
	RuleDataType          Rule = "data-type"
	RuleRank              Rule = "rank"
	RuleRankInterleave    Rule = "rank-interleave"
	RuleAddress           Rule = "address"
	RuleAddressInterleave Rule = "address-interleave"
	RuleAddressPacked     Rule = "address-packed"
	RuleDim               Rule = "dim"
	RuleDimPacked128      Rule = "dim-packed-128"
	RuleDimPacked2        Rule = "dim-packed-2"
	RuleStride            Rule = "stride"
	RuleStrideLimit       Rule = "stride-limit"
	RuleStrideInterleave  Rule = "stride-interleave"
	RuleStridePacked      Rule = "stride-packed"
	RuleBox               Rule = "box"
	RuleBoxBytes          Rule = "box-bytes"
	RuleBoxPacked         Rule = "box-packed"
	RuleLower             Rule = "lower-corner"
	RuleUpper             Rule = "upper-corner"
	RuleArea              Rule = "corner-area"
	RuleChannels          Rule = "channels"
	RuleChannelsPacked    Rule = "channels-packed"
	RulePixels            Rule = "pixels"
	RuleStep              Rule = "element-stride"
	RuleInterleave        Rule = "interleave"
	RuleSpan              Rule = "swizzle-span"
	RuleInterleavePacked  Rule = "interleave-packed"
	RuleWide              Rule = "wide-mode"
	RuleSwizzle           Rule = "swizzle"
	RuleSwizzleInterleave Rule = "swizzle-interleave"
	RuleSwizzleU6         Rule = "swizzle-16U6"
	RuleSwizzleU4         Rule = "swizzle-16U4"
	RuleSwizzleWide       Rule = "swizzle-wide"
	RulePromotion         Rule = "l2-promotion"
	RuleFill              Rule = "oob-fill"
	RuleFillType          Rule = "oob-fill-type"
)

// A ruleRow has the facts about one rule.
type ruleRow struct {
	rule      Rule
	parameter string // the parameter of the driver's function, which documents the rule
	says      string
	only      string // the modes that have it: "t" tiled, "i" im2col, "w" wide; "" for all
}

var ruleRows = []ruleRow{
	{RuleLengths, "Parameters", "each array has a number for each dimension, globalStrides one less, the corners two less", ""},
	{RuleDataType, "tensorDataType", "is a CUtensorMapDataType, 0 to 15", ""},
	{RuleRank, "tensorRank", "is 1 to 5, and 3 to 5 for im2col", ""},
	{RuleRankInterleave, "tensorRank", "is at least 3 with an interleave", "t"},
	{RuleAddress, "globalAddress", "is a multiple of 16 bytes", ""},
	{RuleAddressInterleave, "globalAddress", "is a multiple of 32 bytes with INTERLEAVE_32B", ""},
	{RuleAddressPacked, "globalAddress", "is a multiple of 32 bytes for 16U4_ALIGN16B and 16U6_ALIGN16B", ""},
	{RuleDim, "globalDim", "is 1 to 2^32 in each dimension", ""},
	{RuleDimPacked128, "globalDim", "is a multiple of 128 in dimension 0 for 16U4_ALIGN16B and 16U6_ALIGN16B", ""},
	{RuleDimPacked2, "globalDim", "is a multiple of 2 in dimension 0 for 16U4_ALIGN8B", ""},
	{RuleStride, "globalStrides", "is a multiple of 16 bytes in each dimension but 0", ""},
	{RuleStrideLimit, "globalStrides", "is below 2^40 bytes", ""},
	{RuleStrideInterleave, "globalStrides", "is a multiple of 32 bytes with INTERLEAVE_32B", ""},
	{RuleStridePacked, "globalStrides", "is a multiple of 32 bytes for 16U4_ALIGN16B and 16U6_ALIGN16B", ""},
	{RuleBox, "boxDim", "is 1 to 256 in each dimension", "t"},
	{RuleBoxBytes, "boxDim", "times the size of an element is a multiple of 16 bytes in dimension 0, without an interleave", "t"},
	{RuleBoxPacked, "boxDim", "is 128 in dimension 0 for 16U4_ALIGN16B and 16U6_ALIGN16B", "t"},
	{RuleLower, "pixelBoxLowerCorner", "is -32768 to 32767 for rank 3 and wide maps, -128 to 127 for rank 4, -16 to 15 for rank 5", "iw"},
	{RuleUpper, "pixelBoxUpperCorner", "is -32768 to 32767 for rank 3 and wide maps, -128 to 127 for rank 4, -16 to 15 for rank 5", "iw"},
	{RuleArea, "pixelBoxUpperCorner", "and pixelBoxLowerCorner leave a bounding box of at least one pixel in each dimension", "iw"},
	{RuleChannels, "channelsPerPixel", "is at most 256", "iw"},
	{RuleChannelsPacked, "channelsPerPixel", "is 128 for 16U4_ALIGN16B and 16U6_ALIGN16B", "iw"},
	{RulePixels, "pixelsPerColumn", "is at most 1024", "iw"},
	{RuleStep, "elementStrides", "is 1 to 8 in each dimension", ""},
	{RuleInterleave, "interleave", "is a CUtensorMapInterleave, 0 to 2", ""},
	{RuleSpan, "interleave", "NONE with a swizzle: dimension 0 of the box has no more bytes than the swizzle spans, 32, 64 or 128", ""},
	{RuleInterleavePacked, "interleave", "is NONE for 16U6_ALIGN16B", ""},
	{RuleWide, "mode", "is a CUtensorMapIm2ColWideMode, 0 or 1", "w"},
	{RuleSwizzle, "swizzle", "is a CUtensorMapSwizzle, 0 to 6", ""},
	{RuleSwizzleInterleave, "swizzle", "is SWIZZLE_32B with INTERLEAVE_32B", ""},
	{RuleSwizzleU6, "swizzle", "is NONE, 128B, 128B_ATOM_32B or (of stores) 128B_ATOM_64B for 16U6_ALIGN16B, 64B (of stores), 128B or 128B_ATOM_32B in wide maps", ""},
	{RuleSwizzleU4, "swizzle", "is NONE, 128B or 128B_ATOM_32B for 16U4_ALIGN16B, without NONE in wide maps", ""},
	{RuleSwizzleWide, "swizzle", "is 64B, 128B or 128B_ATOM_32B in wide maps", "w"},
	{RulePromotion, "l2Promotion", "is a CUtensorMapL2promotion, 0 to 3", ""},
	{RuleFill, "oobFill", "is a CUtensorMapFloatOOBfill, 0 or 1", ""},
	{RuleFillType, "oobFill", "is NaN for floating-point types only, packed ones not among them", ""},
}

// Rules returns all rules in the order of the documentation.
func Rules() []Rule {
	all := make([]Rule, len(ruleRows))
	for i, r := range ruleRows {
		all[i] = r.rule
	}
	return all
}

func (r Rule) row() ruleRow {
	for _, row := range ruleRows {
		if row.rule == r {
			return row
		}
	}
	return ruleRow{}
}

// Says returns what the rule requires, with its limits: "boxDim is 1 to 256 in each dimension". It is "" for an unknown
// rule.
func (r Rule) Says() string {
	row := r.row()
	switch {
	case row.rule == "":
		return ""
	case row.parameter == "Parameters":
		return row.says
	}
	return row.parameter + " " + row.says
}

// Parameter returns the parameter of the driver's function whose documentation has the rule, such as boxDim.
func (r Rule) Parameter() string { return r.row().parameter }

// Source returns where the rule is documented: the page of the CUDA Driver API, the function and the parameter.
func (r Rule) Source() string {
	row := r.row()
	if row.rule == "" {
		return ""
	}
	function := "cuTensorMapEncodeTiled"
	switch row.only {
	case "iw":
		function = "cuTensorMapEncodeIm2col"
	case "w":
		function = "cuTensorMapEncodeIm2colWide"
	}
	return "CUDA Driver API, Tensor Map Object Management, " + function + ", " + row.parameter
}
