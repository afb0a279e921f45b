cwlVersion: v1.2
class: Workflow
doc: The square of each number, a job each, and a job that adds them up.
requirements:
  ScatterFeatureRequirement: {}
inputs:
  numbers: int[]
outputs:
  total:
    type: File
    outputSource: add/total
steps:
  square:
    scatter: number
    in:
      number: numbers
    out: [result]
    run:
      class: CommandLineTool
      requirements: &small
        ResourceRequirement: {coresMin: 1, ramMin: 100, tmpdirMin: 1, outdirMin: 1}
      baseCommand: [sh, -c, 'echo $(($0 * $0))']
      inputs:
        number: {type: int, inputBinding: {}}
      stdout: square
      outputs:
        result: {type: stdout}
  add:
    in:
      squares: square/result
    out: [total]
    run:
      class: CommandLineTool
      requirements: *small
      baseCommand: [awk, '{ sum += $1 } END { print sum }']
      inputs:
        squares: {type: 'File[]', inputBinding: {}}
      stdout: total
      outputs:
        total: {type: stdout}
