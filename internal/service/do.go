package service

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"girih"
	"girih/internal/budget"
	"girih/internal/lang/eval"
	"girih/internal/version"
)

// An Operation is one thing that the service does for a client that speaks JSON: a browser, an assistant. All front
// ends of that kind offer these, by these names.
type Operation struct {
	Name string
	Doc  string // one sentence
	do   func(s *Session, body []byte) (any, *ErrorInfo)
}

// Operations returns all operations, sorted by name.
func Operations() []Operation { return slices.Clone(operations) }

// MaxRequest is the length of the body of a request, in bytes.
const MaxRequest = 2 * MaxExpr

// Do decodes a request of the operation of this name, carries it out in a session of its own and encodes the response.
// A name that is not known, or a body that is not the request of it, gives a response with an error:
// {"ok":false,"error":{...}}.
func Do(name string, body []byte) []byte { return new(Session).do(name, body) }

// DoWithin is [Do] within the time of a context, and the memory of its budget, as [Session.Within] says.
func DoWithin(ctx context.Context, name string, body []byte) []byte {
	s := new(Session)
	s.Within(ctx)
	return s.do(name, body)
}

func (s *Session) do(name string, body []byte) []byte {
	k := slices.IndexFunc(operations, func(op Operation) bool { return op.Name == name })
	if k < 0 {
		return failed(&ErrorInfo{Code: string(girih.CodeName), Message: fmt.Sprintf("there is no operation %q", name)})
	}
	if len(body) > MaxRequest {
		return failed(&ErrorInfo{
			Code: string(girih.CodeLimit), Message: fmt.Sprintf("the request has %d bytes, the limit is %d", len(body), MaxRequest),
		})
	}
	fault := s.hold(len(body) * sourceBytes)
	var r any
	if fault == nil {
		r, fault = operations[k].do(s, body)
	}
	if fault != nil {
		return failed(fault)
	}
	out, err := json.Marshal(r)
	if err != nil {
		return failed(&ErrorInfo{Code: string(girih.CodeType), Message: err.Error()})
	}
	return out
}

// MaxMemory is what the values and results of a request take at most, in bytes, where its context has no budget of its
// own.
const MaxMemory = 256 << 20

// sourceBytes is what a byte of a request takes until it is a tree.
const sourceBytes = 48

// Within lets operations go on within the time of a context, and within the budget that it has; it gets one of
// [MaxMemory] bytes where it has none. When that is used up, what goes on ends at its next step with an error of code
// "limit".
func (s *Session) Within(ctx context.Context) {
	b := budget.From(ctx)
	if b == nil {
		b = budget.New(ctx, MaxMemory)
	}
	s.budget = b
	s.stop = func() error { return limitError(b.Stop()) }
	s.bound(&s.env)
}

// bound lets an evaluation draw on the budget of the session.
func (s *Session) bound(e *eval.Env) {
	if s.budget != nil {
		e.Limit(s.budget.Stop)
		e.Keep(s.budget.Hold)
	}
}

// limitError returns the end of a budget as an error of the algebra.
func limitError(err error) error {
	if err == nil {
		return nil
	}
	return &girih.Error{Code: girih.CodeLimit, Msg: err.Error()}
}

// hold takes bytes from the budget of the session.
func (s *Session) hold(bytes int) *ErrorInfo {
	if err := limitError(s.budget.Hold(int64(bytes))); err != nil {
		return errorInfo(err)
	}
	return nil
}

// stopped returns the error that the time of the session is over, nil while it is not. Operations of many steps ask
// between them.
func (s *Session) stopped() *ErrorInfo {
	if s.stop == nil {
		return nil
	}
	if err := s.stop(); err != nil {
		return errorInfo(err)
	}
	return nil
}

func failed(e *ErrorInfo) []byte {
	out, _ := json.Marshal(struct {
		OK    bool       `json:"ok"`
		Error *ErrorInfo `json:"error"`
	}{false, e}) // strings and numbers always encode
	return out
}

// operationOf wraps a method of the session, or a function, as an operation. Any may be given the values of run-time
// integers, {"set": ["M=4096", "?1=8"], ...}.
func operationOf[Q, R any](name, doc string, f func(*Session, Q) R) Operation {
	own, _ := ArgumentsOf(reflect.TypeFor[Q]())
	ask := asked{name, append(own, setArgument)}
	return Operation{name, doc, func(s *Session, body []byte) (any, *ErrorInfo) {
		fields, fault := ask.fields(body)
		if fault == nil {
			fault = s.given(fields)
		}
		var q Q
		if fault == nil {
			fault = into(fields, &q)
		}
		if fault != nil {
			return nil, fault
		}
		return f(s, q), nil
	}}
}

var operations = []Operation{
	operationOf("atom", "One MMA or copy instruction: PTX, registers, layouts.", func(_ *Session, q AtomRequest) AtomResponse { return Atom(q) }),
	operationOf("atoms", "The MMA and copy instructions that match words.", func(_ *Session, q AtomsRequest) AtomsResponse { return Atoms(q) }),
	operationOf("bank", "Wavefronts and bank conflicts of accesses to shared memory.", (*Session).Bank),
	operationOf("complete", "The names that may stand at a place of an expression.", (*Session).Complete),
	operationOf("convert", "How elements move between two register layouts.", (*Session).Convert),
	operationOf("copies", "The copy instructions that fit a TiledMMA and a shared memory layout.", (*Session).Copies),
	operationOf("draw", "A picture of a value: SVG, PNG, TikZ or text.", (*Session).Draw),
	operationOf("eval", "The value of a program.", (*Session).Eval),
	operationOf("explain", "Why a value is what it is, step by step.", (*Session).Explain),
	operationOf("global", "Sectors and lines of accesses to global memory.", (*Session).Global),
	operationOf("inspect", "A value with all its elements, for linked views.", (*Session).Inspect),
	operationOf("linear", "A value as a map over bits.", (*Session).Linear),
	operationOf("mma", "A TiledMMA: threads, tile, layouts of its operands.", (*Session).MMA),
	operationOf("partition", "What a thread has of a tensor through a TiledMMA or a TiledCopy.", (*Session).Partition),
	operationOf("permute", "The PermutationMNK that makes values of a thread contiguous.", (*Session).Permute),
	operationOf("pictures", "The kinds of pictures.", func(*Session, struct{}) []Picture { return Pictures() }),
	operationOf("read", "The layouts in a pasted text.", (*Session).Read),
	operationOf("reference", "The functions of the language.", func(*Session, struct{}) []FunctionGroup { return Reference() }),
	operationOf("run", "What a program of Python or C++ prints: bindings, print, assert, loops, functions.", (*Session).Run),
	operationOf("show", "A value as C++, Python, MLIR, Triton, LaTeX, Go or JSON.", (*Session).Show),
	operationOf("swizzle", "The smallest swizzle or padding without conflicts, or a proof that none is.", (*Session).SolveSwizzle),
	operationOf("targets", "The machines whose shared memory is known.", func(*Session, struct{}) []Target { return Targets() }),
	operationOf("tokens", "The tokens of an expression, to colour it.", func(s *Session, q TokensRequest) []Token { return s.Tokens(q.Expr) }),
	operationOf("version", "The version of the program.", func(*Session, struct{}) version.Info { return version.Current() }),
	operationOf("why", "What failed in a pasted compiler error, exception or dump, and what works.", (*Session).Why),
}

// A TokensRequest asks for the tokens of a source.
type TokensRequest struct {
	Expr string `json:"expr"`
}
