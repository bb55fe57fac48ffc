package cuda

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"unsafe"

	"girih/fault"
)

// Values of CUjit_option.
const (
	jitInfoLog      = 3
	jitInfoLogSize  = 4
	jitErrorLog     = 5
	jitErrorLogSize = 6
	jitLogVerbose   = 12
)

// A compileLog is the memory to which the driver's compiler writes messages, until the linker is destroyed.
type compileLog struct {
	info, errors []byte
	options      []uint32
	values       []uintptr // pointers and numbers, as the driver takes them
	pin          runtime.Pinner
}

func newCompileLog() *compileLog {
	const size = 16 << 10
	l := &compileLog{info: make([]byte, size), errors: make([]byte, size)}
	l.pin.Pin(&l.info[0])
	l.pin.Pin(&l.errors[0])
	l.options = []uint32{jitInfoLog, jitInfoLogSize, jitErrorLog, jitErrorLogSize, jitLogVerbose}
	l.values = []uintptr{uintptr(unsafe.Pointer(&l.info[0])), size, uintptr(unsafe.Pointer(&l.errors[0])), size, 1}
	l.pin.Pin(&l.options[0])
	l.pin.Pin(&l.values[0])
	return l
}

// explain adds the messages to a failure.
func (l *compileLog) explain(err *Failure, what string) *Failure {
	err.Message = "the driver refuses " + what
	err.Log = text(l.errors)
	return err
}

// text returns the text before the first zero byte.
func text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return strings.TrimSpace(string(s))
}

// Compile returns the cubin of PTX for the chip of c, and the compiler's messages: registers, shared memory, spills.
// The failure has the code [fault.Refused] and the log of the compiler.
func (c *Context) Compile(ptx string) (cubin []byte, log string, err *Failure) {
	if strings.Contains(ptx, "\x00") {
		return nil, "", &Failure{Code: fault.Refused, Message: "the PTX has a zero byte"}
	}
	// The compiler has memory for each thread. If a goroutine moved, between the calls, to a thread on which another
	// goroutine compiles, it would use that goroutine's memory; this has crashed.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := newCompileLog()
	defer l.pin.Unpin()
	var link uintptr
	err = c.call(cuLinkCreate, uintptr(len(l.options)),
		uintptr(unsafe.Pointer(&l.options[0])), uintptr(unsafe.Pointer(&l.values[0])), uintptr(unsafe.Pointer(&link)))
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = c.call(cuLinkDestroy, link) }()
	src, name := []byte(ptx+"\x00"), []byte("kernel.ptx\x00")
	const inputPTX = 1
	err = c.call(cuLinkAddData, link, inputPTX,
		uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
	if err != nil {
		return nil, "", l.explain(err, "the PTX")
	}
	var out unsafe.Pointer // memory that belongs to the linker
	var n uintptr
	if err := c.call(cuLinkComplete, link, uintptr(unsafe.Pointer(&out)), uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, "", l.explain(err, "to link the PTX")
	}
	return bytes.Clone(unsafe.Slice((*byte)(out), n)), text(l.info), nil
}

// A Module is loaded code.
type Module struct {
	ctx    *Context
	handle uintptr
}

// Load loads a cubin, or PTX, which the driver then compiles. The failure has the code [fault.Refused].
func (c *Context) Load(image []byte) (*Module, *Failure) {
	m, _, err := c.load(image)
	return m, err
}

// load also returns the compiler's messages.
func (c *Context) load(image []byte) (*Module, string, *Failure) {
	l := newCompileLog()
	defer l.pin.Unpin()
	image = append(bytes.Clone(image), 0) // PTX ends with a zero
	m := &Module{ctx: c}
	err := c.call(cuModuleLoadDataEx, uintptr(unsafe.Pointer(&m.handle)), uintptr(unsafe.Pointer(&image[0])),
		uintptr(len(l.options)), uintptr(unsafe.Pointer(&l.options[0])), uintptr(unsafe.Pointer(&l.values[0])))
	if err != nil {
		return nil, "", l.explain(err, fmt.Sprintf("a module of %d bytes", len(image)-1))
	}
	return m, text(l.info), nil
}

var entryName = regexp.MustCompile(`\.entry\s+([\w$]+)`)

// local returns the bytes of local memory of a thread, the most that a kernel of the module has, which was made of PTX.
func (m *Module) local(ptx string) (most int) {
	for _, name := range entryName.FindAllStringSubmatch(ptx, -1) {
		if f, err := m.Function(name[1]); err == nil {
			n, _ := f.Attr(FuncLocal) // 0 if it fails
			most = max(most, n)
		}
	}
	return most
}

// Close unloads the module.
func (m *Module) Close() *Failure { return m.ctx.call(cuModuleUnload, m.handle) }

// A Function is a kernel of a module.
type Function struct {
	ctx    *Context
	handle uintptr
}

// Function returns the kernel with that name. The failure has the code [fault.Argument] if there is none.
func (m *Module) Function(name string) (*Function, *Failure) {
	f := &Function{ctx: m.ctx}
	cname := []byte(name + "\x00")
	err := m.ctx.call(cuModuleGetFunction,
		uintptr(unsafe.Pointer(&f.handle)), m.handle, uintptr(unsafe.Pointer(&cname[0])))
	if err != nil {
		err.Message = fmt.Sprintf("no kernel %q", name)
		return nil, err
	}
	return f, nil
}

// FuncAttr is an attribute of a function, a CUfunction_attribute.
type FuncAttr int

// Attributes, in bytes and threads.
const (
	FuncMaxThreads     FuncAttr = 0
	FuncStaticShared   FuncAttr = 1
	FuncLocal          FuncAttr = 3 // per thread: spills and arrays
	FuncRegisters      FuncAttr = 4
	FuncDynamicShared  FuncAttr = 8 // the maximum per launch, which can be set
	FuncLargerClusters FuncAttr = 14
)

// Attr returns an attribute.
func (f *Function) Attr(a FuncAttr) (int, *Failure) {
	var n int32
	err := f.ctx.call(cuFuncGetAttribute, uintptr(unsafe.Pointer(&n)), uintptr(a), f.handle)
	return int(n), err
}

// SetAttr sets an attribute.
func (f *Function) SetAttr(a FuncAttr, n int) *Failure {
	return f.ctx.call(cuFuncSetAttribute, f.handle, uintptr(a), uintptr(n))
}

// Occupancy returns how many blocks a multiprocessor holds at a time.
func (f *Function) Occupancy(threads, sharedBytes int) (int, *Failure) {
	var n int32
	err := f.ctx.call(cuOccupancyMaxActiveBlocks,
		uintptr(unsafe.Pointer(&n)), f.handle, uintptr(threads), uintptr(sharedBytes))
	return int(n), err
}

// Params returns the sizes of the parameters in bytes. Drivers before 12.4 do not report them: known is false.
func (f *Function) Params() (sizes []int64, known bool) {
	if f.ctx.device.driver.addr[cuFuncGetParamInfo] == 0 {
		return nil, false
	}
	for i := 0; ; i++ {
		var offset, size uintptr
		err := f.ctx.call(cuFuncGetParamInfo, f.handle, uintptr(i),
			uintptr(unsafe.Pointer(&offset)), uintptr(unsafe.Pointer(&size)))
		if err != nil {
			return sizes, err.Status == statusInvalidValue // this status means that there is no parameter i
		}
		sizes = append(sizes, int64(size))
	}
}
