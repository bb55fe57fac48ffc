package triton

// The encodings, for the tests of this package. Other packages make them with FromRecord.
type (
	AMDRotatingShared      = amdRotatingShared
	Blocked                = blocked
	DotOperand             = dotOperand
	Linear                 = distributedLinear
	MFMA                   = mfma
	NVMMAShared            = nvmmaShared
	NvidiaMMA              = nvidiaMMA
	PartitionedShared      = partitionedShared
	SM120DotScaledScale    = sm120DotScaledScale
	ScaleSharedForTMEMCopy = scaleSharedForTMEMCopy
	SharedLinear           = sharedLinear
	Slice                  = slice
	SwizzledShared         = swizzledShared
	TensorMemoryScales     = tensorMemoryScales
	WMMA                   = wmma
	CGA                    = cluster
)
