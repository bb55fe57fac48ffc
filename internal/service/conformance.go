//go:build !js

package service

import (
	"io"

	"girih/internal/conform"
)

// A VectorFile is a file of conformance vectors. Its content tells the format; the name is for the report.
type VectorFile struct {
	Name   string
	Reader io.Reader
}

// A ConformanceRequest asks to run the vectors of files.
type ConformanceRequest struct {
	Files []VectorFile
}

// A ConformanceReport says how the vectors of one file came out.
type ConformanceReport = conform.Report

// A ConformanceResponse has a report for each file, in the order of the request.
type ConformanceResponse struct {
	OK      bool                 `json:"ok"` // no vector failed
	Reports []*ConformanceReport `json:"reports"`
}

// Conformance runs the vectors of all files. It returns an error, which names the file, if one
// cannot be read or is of no format that can be run.
func Conformance(req ConformanceRequest) (ConformanceResponse, error) {
	resp := ConformanceResponse{OK: true}
	for _, f := range req.Files {
		r, err := conform.Run(f.Name, f.Reader)
		if err != nil {
			return resp, err
		}
		resp.Reports = append(resp.Reports, r)
		resp.OK = resp.OK && r.Failed() == 0
	}
	return resp, nil
}
