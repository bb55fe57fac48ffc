package program

// This file parses the imports of Python. Modules and their names are known without an import, so that only an import
// that gives another name does something: it is an assignment.

// pythonModules are the modules that programs may import: true if their names are known by their modules, and false if
// their names are known by themselves. A name of any other module is refused where it is used.
var pythonModules = map[string]bool{
	"cutlass": true, "cute": true, "pycute": true, "functools": true, "math": true, "itertools": true, "operator": true,
	"typing": false, "dataclasses": true, "__future__": false, "torch": true, "numpy": true, "cuda": true, "os": true,
	"sys": true, "time": true, "argparse": true, "enum": true, "abc": false, "collections": true, "pprint": false,
	"contextlib": true, "copy": true, "string": true,
}

// imports parses import A.B as C, D and from A import B as C, D.
func (p *parser) imports() (list []Stmt) {
	if p.is("from") {
		return p.fromImport()
	}
	for first := true; first || p.accept(","); first = false {
		if first {
			p.i++
		}
		module, root := p.module()
		if _, known := pythonModules[root.Name]; !known && p.tries > 0 {
			return p.withoutModule()
		}
		as := root
		if p.accept("as") {
			as = p.name("a name for the module")
		} else if _, known := pythonModules[root.Name]; known {
			continue
		}
		list = append(list, p.alias(as, module)...)
	}
	return list
}

// withoutModule skips an import within try of a module that is not known: it is taken to be missing.
func (p *parser) withoutModule() []Stmt {
	for p.tok().kind != tokenNewline && p.tok().kind != tokenEnd {
		p.i++
	}
	return []Stmt{&Refusal{p.since(p.i), "another module", "ModuleNotFoundError"}}
}

// module parses the path of a module, which begins with root.
func (p *parser) module() (path Expr, root *Name) {
	from := p.tok().From
	for p.is(".") || p.is("...") { // the dots of an import from another file
		p.i++
	}
	if p.is("import") && p.i > 0 && p.tokens[p.i-1].kind == tokenMark {
		x := &Name{Span: p.since(from), Name: "."}
		return x, x
	}
	root = p.name("the name of a module")
	if from < root.From {
		root.Name = "." + root.Name
	}
	path = root
	for p.accept(".") {
		t := p.name("the name of a module")
		path = &Attr{Span: p.since(from), X: path, Name: t.Name, At: t.From}
	}
	return path, root
}

// fromImport parses from MODULE import NAME as NAME, ....
func (p *parser) fromImport() (list []Stmt) {
	p.i++
	module, root := p.module()
	_, known := pythonModules[root.Name]
	if !known && p.tries > 0 {
		return p.withoutModule()
	}
	p.expect("import", "import")
	if p.accept("*") {
		if !known {
			list = []Stmt{&Refusal{p.since(module.Pos()), "an import of all names of " + root.Name, ""}}
		}
		return list
	}
	brackets := p.accept("(")
	for {
		name := p.name("a name of the module")
		as := name
		if p.accept("as") {
			as = p.name("another name")
		}
		x := &Attr{Span: p.since(module.Pos()), X: module, Name: name.Name, At: name.From}
		list = append(list, p.alias(as, x)...)
		if !p.accept(",") || p.is(")") {
			break
		}
	}
	if brackets {
		p.expect(")", "',' or ')'")
	}
	return list
}

// alias binds a name to a module or to a name of a module. A name of CuTe is known by itself.
func (p *parser) alias(as *Name, x Expr) []Stmt {
	root := x
	for a, ok := root.(*Attr); ok; a, ok = root.(*Attr) {
		root = a.X
	}
	module := root.(*Name).Name
	last := module
	if a, ok := x.(*Attr); ok {
		last = a.Name
	}
	byModule, known := pythonModules[module]
	isCuTe := module == "cutlass" || module == "cute" || module == "pycute"
	switch {
	case !known:
		x = &Absent{Span{x.Pos(), x.End()}, module}
	case !byModule || isCuTe && as.Name == last || as.Name == last && x == root:
		return nil
	}
	return []Stmt{&Assign{Span: Span{as.From, as.To}, Targets: []Expr{as}, X: x, Import: known}}
}
