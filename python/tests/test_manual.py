"""The examples of docs/python.md, which is the description of the package, and five tasks in a notebook."""

import doctest
import importlib.metadata
import os
import tempfile
import unittest
import unittest.mock

import girih as g
from . import notebook as pictures

try:
    import numpy
except ImportError:
    numpy = None
try:
    import nbclient
    import nbformat
except ImportError:
    nbclient = None

DOCS = os.environ.get("GIRIH_DOCS")


class Manual(unittest.TestCase):
    def setUp(self):
        self.text = importlib.metadata.metadata("girih").get_payload()
        here = os.getcwd()
        folder = tempfile.TemporaryDirectory()
        os.chdir(folder.name)  # an example writes a file
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, here)

    @unittest.skipUnless(numpy, "needs numpy")
    def test_examples(self):
        test = doctest.DocTestParser().get_doctest(self.text.replace("```", ""), {}, "docs/python.md", None, 0)
        self.assertGreater(len(test.examples), 40)
        said = []
        failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
        self.assertEqual(failed, 0, "".join(said))

    @unittest.skipUnless(numpy and nbclient, "needs numpy and nbclient")
    def test_notebook(self):
        parser = doctest.DocTestParser()
        cells = [e.source for e in parser.get_examples(self.text.replace("```", ""))]
        cells += ["g.Layout('(4,8):(8,1)')", "g.draw(m)", "g.bank(s, 'f16', 'ldmatrix.x4')", "await g.aio.eval('1+1')"]
        self.run_cells(cells)

    @unittest.skipUnless(numpy and nbclient and DOCS, "needs numpy, nbclient and GIRIH_DOCS, the folder docs of girih")
    def test_picture(self):
        """docs/python/tour.svg shows what a kernel answers; with GIRIH_UPDATE=1 it is drawn again."""
        path = os.path.join(DOCS, "python", "tour.svg")
        notebook = nbformat.read(os.path.join(DOCS, "python", "tour.ipynb"), as_version=4)
        self.execute(notebook, allow_errors=True)
        drawn = pictures.picture(notebook)
        if os.environ.get("GIRIH_UPDATE"):
            with open(path, "w", encoding="utf-8") as f:
                f.write(drawn)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), drawn, "tour.svg is not what a kernel shows: GIRIH_UPDATE=1 GIRIH_DOCS=docs draws it again")

    def execute(self, notebook, **options):
        site = os.path.dirname(os.path.dirname(g.__file__))  # the kernel may be another Python than this one
        with unittest.mock.patch.dict(os.environ, PYTHONPATH=site):
            nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3", **options).execute()

    def run_cells(self, cells):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        self.execute(notebook)
        layout, drawn, answer, awaited = [c.outputs[0].data for c in notebook.cells[-4:]]
        self.assertTrue(layout["image/svg+xml"].startswith("<svg"))
        self.assertTrue(drawn["image/svg+xml"].startswith("<svg"))
        self.assertTrue(answer["text/html"].startswith("<pre"))
        self.assertEqual(awaited["text/plain"], "2")
        keep = os.environ.get("GIRIH_NOTEBOOK")
        if keep:
            nbformat.write(notebook, keep)
