package cuda

import "girih/fault"

// A Failure is a failed call of this package or of the driver; nil is success. It does not implement error, so that
// package gpu cannot forget to convert it to its own type, which documents the fields.
type Failure struct {
	Code    fault.Code
	Message string
	Call    string
	Status  int
	Name    string
	Text    string
	Log     string
	Hint    string
}

const (
	statusInvalidValue = 1
	statusOutOfMemory  = 2
	statusStub         = 34
	statusNoDevice     = 100
	statusBadDevice    = 101
	statusNotReady     = 600
)

// A meaning explains a status to a user who does not know the driver.
type meaning struct {
	code fault.Code
	hint string
}

const (
	restart   = "the context cannot be used any more: the process has to start again"
	sanitizer = restart + "; compute-sanitizer names the instruction"
	newer     = "install a newer driver, or write the module for an older version of PTX"
)

var meanings = map[int32]meaning{
	statusOutOfMemory: {fault.OutOfMemory, "free buffers first; nvidia-smi lists what other processes hold"},
	statusStub:        {fault.NoDriver, "this libcuda is the stub of a toolkit: install NVIDIA's driver"},
	statusNoDevice:    {fault.NoDevice, "nvidia-smi lists the cards; CUDA_VISIBLE_DEVICES can hide them"},
	statusBadDevice:   {fault.NoDevice, "nvidia-smi lists the cards; CUDA_VISIBLE_DEVICES can hide them"},
	200:               {fault.Refused, "the file is damaged, or not a cubin"},
	209:               {fault.Refused, "the module is for another chip"},
	218:               {fault.Refused, "ptxas names the line"},
	222:               {fault.Refused, newer},
	223:               {fault.Refused, "the PTX wants a debugger or a profiler that is not there"},
	300:               {fault.Refused, "this is not a module"},
	500:               {fault.Argument, "use the name of the kernel in the PTX, which is mangled for C++"},
	701:               {fault.Launch, "fewer threads in a block, or fewer registers with .maxntid or .maxnreg"},
	46:                {fault.Failed, "another process may have the card for itself: nvidia-smi shows the compute mode"},
	802:               {fault.Failed, "the machine is still starting: cards with NVLink wait for the fabric manager"},
	999:               {fault.Failed, "nvidia-smi shows whether the driver works; messages of the kernel say more"},
	803:               {fault.Failed, "the library and the kernel module have different versions: restart the machine"},
	804:               {fault.Failed, "forward compatibility does not fit this card: leave it out of LD_LIBRARY_PATH"},
	720:               {fault.Launch, "a cooperative launch can have as many blocks as the card holds: the occupancy, times the SMs"},
	912:               {fault.Launch, "the cluster does not fit: it has at most 8 blocks, or 16 where the kernel allows it"},
	700:               {fault.Kernel, sanitizer},
	702:               {fault.Kernel, "the kernel ran longer than a card with a display allows; " + restart},
	714:               {fault.Kernel, sanitizer},
	715:               {fault.Kernel, sanitizer},
	716:               {fault.Kernel, sanitizer},
	717:               {fault.Kernel, sanitizer},
	718:               {fault.Kernel, sanitizer},
	719:               {fault.Kernel, sanitizer},
	710:               {fault.Kernel, "an assert of the kernel failed; " + restart},
}

// check converts the status that e returned.
func (d *Driver) check(e entry, status int32) *Failure {
	if status == 0 {
		return nil
	}
	m, ok := meanings[status]
	if !ok {
		m.code = fault.Failed
	}
	return &Failure{
		Code: m.code, Call: symbols[e], Status: int(status),
		Name: d.text(cuGetErrorName, status), Text: d.text(cuGetErrorString, status), Hint: m.hint,
	}
}
