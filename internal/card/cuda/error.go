package cuda

import (
	"fmt"
	"strings"

	"girih/fault"
)

// Code is the class of an [Error]: it is the type of all packages of girih.
type Code = fault.Code

// The codes.
const (
	NoDriver    = fault.NoDriver    // there is no library of the driver, or none for this system
	OldDriver   = fault.OldDriver   // the driver lacks a function
	NoDevice    = fault.NoDevice    // there is no card, or none of that number
	Refused     = fault.Refused     // the driver does not compile or load a module; Log says why
	OutOfMemory = fault.OutOfMemory // of the card, or pinned memory of the host
	Argument    = fault.Argument    // what is asked for is refused before the driver sees it
	Launch      = fault.Launch      // the driver refuses a launch
	Fault       = fault.Kernel      // a kernel did something wrong; the context cannot be used any more
	Left        = fault.Left        // work that was left is still running
	Failed      = fault.Failed      // any other call that failed
)

// An Error is the failure of a call of this package or of the driver.
type Error struct {
	Code    Code
	Message string // a sentence, with numbers
	Call    string // the driver's function, "cuMemAlloc_v2"; "" if it was not asked
	Status  int    // what it returned, a CUresult; 0 if it was not asked
	Name    string // "CUDA_ERROR_OUT_OF_MEMORY", as the driver names the status
	Text    string // "out of memory", as the driver says it
	Log     string // of the compiler in the driver
	Hint    string // what can be done, or ""
}

// Error returns the message, then what the driver says.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if e.Call != "" {
		if e.Message != "" {
			b.WriteString(": ")
		}
		fmt.Fprintf(&b, "%s: %s", e.Call, e.Name)
		if e.Name == "" {
			fmt.Fprintf(&b, "status %d", e.Status)
		}
		if e.Text != "" {
			fmt.Fprintf(&b, " (%s)", e.Text)
		}
	}
	if e.Log != "" {
		b.WriteString("\n" + e.Log)
	}
	return b.String()
}

// Unwrap returns the code, so that errors.Is(err, [OutOfMemory]) asks an error for its code.
func (e *Error) Unwrap() error { return e.Code }

// Values of CUresult that decide something here.
const (
	statusInvalidValue = 1
	statusOutOfMemory  = 2
	statusStub         = 34
	statusNoDevice     = 100
	statusBadDevice    = 101
	statusNotReady     = 600
)

// A meaning explains a status to somebody who does not know the driver.
type meaning struct {
	code Code
	hint string
}

const (
	restart   = "the context cannot be used any more: the process has to start again"
	sanitizer = restart + "; compute-sanitizer names the instruction"
	newer     = "install a newer driver, or write the module for an older version of PTX"
)

var meanings = map[int32]meaning{
	statusOutOfMemory: {OutOfMemory, "free buffers first; nvidia-smi lists what other processes hold"},
	statusStub:        {NoDriver, "this libcuda is the stub of a toolkit: install NVIDIA's driver"},
	statusNoDevice:    {NoDevice, "nvidia-smi lists the cards; CUDA_VISIBLE_DEVICES can hide them"},
	statusBadDevice:   {NoDevice, "nvidia-smi lists the cards; CUDA_VISIBLE_DEVICES can hide them"},
	200:               {Refused, "the cubin is damaged or none"},
	209:               {Refused, "the module is for another chip"},
	218:               {Refused, "ptxas names the line"},
	222:               {Refused, newer},
	223:               {Refused, "the PTX wants a debugger or a profiler that is not there"},
	300:               {Refused, "the module is none"},
	500:               {Argument, "names of kernels are those of the PTX, mangled for C++"},
	701:               {Launch, "fewer threads in a block, or fewer registers with .maxntid or .maxnreg"},
	46:                {Failed, "another process may have the card for itself: nvidia-smi shows the compute mode"},
	802:               {Failed, "the machine is still starting: cards with NVLink wait for the fabric manager"},
	999:               {Failed, "nvidia-smi shows whether the driver works; messages of the kernel say more"},
	803:               {Failed, "the library is of another version than the module of the kernel: restart the machine"},
	804:               {Failed, "forward compatibility does not fit this card: leave it out of LD_LIBRARY_PATH"},
	720:               {Launch, "a cooperative launch can have as many blocks as the card holds: the occupancy, times the SMs"},
	912:               {Launch, "the cluster does not fit: it has at most 8 blocks, or 16 where the kernel allows it"},
	700:               {Fault, sanitizer},
	702:               {Fault, "the kernel ran longer than a card with a display allows; " + restart},
	714:               {Fault, sanitizer},
	715:               {Fault, sanitizer},
	716:               {Fault, sanitizer},
	717:               {Fault, sanitizer},
	718:               {Fault, sanitizer},
	719:               {Fault, sanitizer},
	710:               {Fault, "an assert of the kernel failed; " + restart},
}

// check turns the status that a function returned into an error.
func (d *Driver) check(e entry, status int32) error {
	if status == 0 {
		return nil
	}
	m, ok := meanings[status]
	if !ok {
		m.code = Failed
	}
	return &Error{
		Code: m.code, Call: symbols[e], Status: int(status),
		Name: d.text(cuGetErrorName, status), Text: d.text(cuGetErrorString, status), Hint: m.hint,
	}
}
