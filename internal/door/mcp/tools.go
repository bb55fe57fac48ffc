package mcp

import (
	"fmt"
	"strings"

	"girih/internal/service"
)

// textWidth is where texts are wrapped, in columns: they hold tables.
const textWidth = 100

// shownAtoms is the number of instructions that are listed unless more are asked for.
const shownAtoms = 40

// shownReasons is the number of copies that do not fit which the text has.
const shownReasons = 8

// tools returns the table of all tools, in the order in which an assistant reads it.
func tools() []tool {
	return []tool{
		toolOf(evalTool(), func(s *service.Session, q service.EvalRequest) (service.EvalResponse, answer) {
			q.Correct = true
			r := s.Eval(q)
			if r.Kind == service.KindNone {
				r = service.NoExpression(q.Expr)
			}
			text := r.Value + "\n"
			if r.Static != "" {
				text += "at trace time CuTe prints " + r.Static + "\n"
			}
			return r, said(text, r.Notes, r.Error, q.Expr)
		}),
		toolOf(runTool(), func(s *service.Session, q service.RunRequest) (service.RunResponse, answer) {
			r := s.Run(q)
			if r.OK {
				return r, said(r.Output, r.Notes, nil, "")
			}
			a := said("", r.Notes, r.Error, r.In)
			a.text = fmt.Sprintf("%s%d:%d: %s", r.Output, r.Line, r.Column, a.text)
			return r, a
		}),
		toolOf(helpTool(), func(_ *service.Session, q service.HelpRequest) (service.HelpResponse, answer) {
			r := help(q)
			a := said(r.Text(textWidth), nil, r.Error, "")
			a.whole = true
			return r, a
		}),
		toolOf(explainTool(), func(s *service.Session, q service.ExplainRequest) (service.ExplainResponse, answer) {
			r := s.Explain(q)
			a := said(r.Text(textWidth), r.Notes, nil, "")
			if !r.OK {
				a = said("", r.Notes, r.Error, r.In)
			}
			for i, p := range r.Pictures {
				a.whole = true
				switch {
				case p.Data != nil:
					a.pictures = append(a.pictures, p.Data)
				case p.Text != "":
					a.text += "\n" + p.Name + ":\n" + p.Text
				case p.Error != nil:
					a.text += fmt.Sprintf("\n%s is not drawn: %s\n", p.Name, service.OneLine(p.Error.Message))
				}
				r.Pictures[i].Data, r.Pictures[i].Text = nil, ""
			}
			return r, a
		}),
		toolOf(compatTool(), func(s *service.Session, q service.CompatRequest) (service.CompatResponse, answer) {
			r := s.Compat(q)
			return r, said(r.Text(), nil, r.Error, q.Expr)
		}),
		toolOf(bankTool(), func(s *service.Session, q bankRequest) (service.BankResponse, answer) {
			r := s.Bank(q.BankRequest)
			more := "all true shows them"
			if q.All {
				more = ""
			}
			return r, said(r.Text(more), r.Notes, r.Error, r.In)
		}),
		toolOf(swizzleTool(), func(s *service.Session, q service.SwizzleRequest) (service.SwizzleResponse, answer) {
			r := s.SolveSwizzle(q)
			if !r.OK {
				return r, said("", r.Notes, r.Error, r.In)
			}
			return r, said(r.Text(), r.Notes, nil, "")
		}),
		toolOf(recognizeTool(), func(s *service.Session, q service.RecognizeSwizzleRequest) (service.RecognizeSwizzleResponse, answer) {
			r := s.RecognizeSwizzle(q)
			return r, said(r.Text(), r.Notes, r.Error, r.In)
		}),
		toolOf(globalTool(), func(s *service.Session, q service.GlobalRequest) (service.GlobalResponse, answer) {
			r := s.Global(q)
			return r, said(r.Text(), r.Notes, r.Error, r.In)
		}),
		toolOf(atomsTool(), func(_ *service.Session, q service.AtomsRequest) (service.AtomsResponse, answer) {
			if q.Most == 0 {
				q.Most = shownAtoms
			}
			q.Filter = strings.FieldsFunc(strings.Join(q.Filter, " "), func(c rune) bool { return c == ' ' || c == ',' })
			r := service.Atoms(q)
			var notes []string
			if r.More > 0 {
				notes = append(notes, fmt.Sprintf("%d more match: more words narrow them down, most lists more", r.More))
			}
			return r, said(r.Text(), notes, r.Error, "")
		}),
		toolOf(atomTool(), func(_ *service.Session, q service.AtomRequest) (service.AtomResponse, answer) {
			r := service.Atom(q)
			return r, said(service.AtomText(r), r.Notes, r.Error, "")
		}),
		toolOf(mmaTool(), func(s *service.Session, q service.PermuteRequest) (service.TiledMMAResponse, answer) {
			r := s.TiledMMA(q)
			return r, said(r.Text(), r.Notes, r.Error, r.In)
		}),
		toolOf(copiesTool(), func(s *service.Session, q copiesRequest) (service.CopiesResponse, answer) {
			r := s.Copies(q.CopiesRequest)
			most := shownReasons
			if q.All {
				most = len(r.Copies)
			}
			return r, said(r.Text(most, "all true lists them"), r.Notes, r.Error, r.In)
		}),
		toolOf(gemmTool(), func(s *service.Session, q service.GemmRequest) (service.GemmResponse, answer) {
			r := s.Gemm(q)
			if r.Threads == 0 {
				return r, said("", r.Notes, r.Error, r.In)
			}
			a := said(r.Text(), r.Notes, nil, "")
			a.err = r.Error // of a result that is wrong, which the text says
			return r, a
		}),
		toolOf(partitionTool(), func(s *service.Session, q service.PartitionRequest) (service.PartitionResponse, answer) {
			r := s.Partition(q)
			return r, said(r.Text(), r.Notes, r.Error, r.In)
		}),
		toolOf(drawTool(), draw),
		toolOf(linearTool(), func(s *service.Session, q service.LinearRequest) (service.LinearResponse, answer) {
			r := s.Linear(q)
			return r, said(service.LinearText(r), r.Notes, r.Error, q.Expr)
		}),
		toolOf(convertTool(), func(s *service.Session, q service.ConvertRequest) (service.ConvertResponse, answer) {
			r := s.Convert(q)
			return r, said(r.Text(), r.Notes, r.Error, r.Faulty)
		}),
		toolOf(showTool(), func(s *service.Session, q service.ShowRequest) (service.ShowResponse, answer) {
			r := s.Show(q)
			return r, said(r.Text(), r.Notes, r.Error, q.Expr)
		}),
		toolOf(whyTool(), func(s *service.Session, q service.WhyRequest) (service.WhyResponse, answer) {
			r := s.Why(q)
			a := said(r.Text(textWidth, false), nil, r.Error, "")
			if !r.OK {
				a.text = r.Text(textWidth, false) + a.text // the layouts of a text without a failure
			}
			return r, a
		}),
		toolOf(readTool(), func(_ *service.Session, q service.ReadRequest) (service.ReadResponse, answer) {
			r := service.Read(q)
			return r, said(r.Text(), nil, r.Error, q.Text)
		}),
	}
}

// A bankRequest may ask for all of the text.
type bankRequest struct {
	service.BankRequest
	All bool `json:"all,omitempty"` // all phases and conflicts, not the first ones only
}

// A copiesRequest may ask for all of the text.
type copiesRequest struct {
	service.CopiesRequest
	All bool `json:"all,omitempty"` // all copies that do not fit, not the first ones only
}

// draw is a picture, as a PNG unless another format is asked for. A PNG is an image beside the captions.
func draw(s *service.Session, q service.DrawRequest) (service.DrawResponse, answer) {
	if q.Format == "" {
		q.Format = "png"
	}
	r := s.Draw(q)
	if !r.OK {
		return r, said("", r.Notes, r.Error, r.In)
	}
	text := r.Text
	if r.Data != nil {
		text = strings.TrimSpace(r.Value+"\n"+r.Desc) + "\n"
	}
	a := said(text, r.Notes, nil, "")
	a.whole = true
	if r.Data != nil {
		a.pictures = [][]byte{r.Data}
	}
	return r, a
}

// said returns the text of an answer with its notes, or, instead of the text, of its error, whose place is in the text
// in.
func said(text string, notes []string, err *service.ErrorInfo, in string) answer {
	if err != nil {
		source := ""
		if err.HasPlace() {
			source = in
		}
		text = err.Report(source, 0)
	}
	var b strings.Builder
	b.WriteString(text)
	for _, n := range notes {
		fmt.Fprintf(&b, "note: %s\n", service.OneLine(n))
	}
	return answer{err: err, text: b.String()}
}
