"""Opens a glTF export in Blender and looks whether people stand where the CSV says: see scripts/export-tests."""

import collections
import csv
import pathlib
import sys

import bpy

work = pathlib.Path(sys.argv[1])
where = collections.defaultdict(dict)
with open(work / "few.csv", newline="") as file:
    for row in csv.DictReader(file):
        where[int(row["id"])][int(row["frame"])] = float(row["x"]), float(row["y"])

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=str(work / "few.glb"))
armatures = [found for found in bpy.data.objects if found.type == "ARMATURE"]
assert len(armatures) == len(where), (len(armatures), len(where))

worst = 0.0
last = max(max(places) for places in where.values())
for frame in (0, last // 2, last):
    # Blender counts from the frame that the importer starts at.
    bpy.context.scene.frame_set(frame)
    bpy.context.view_layer.update()
    for armature in armatures:
        x, y = where[int(armature.name.removeprefix("agent "))][frame]
        hips = next(bone for bone in armature.pose.bones if bone.parent is None)
        shown = (armature.matrix_world @ hips.matrix).translation
        worst = max(worst, ((shown.x - x) ** 2 + (shown.y - y) ** 2) ** 0.5)
        assert 0.3 < shown.z < 1.2, f"the hips of {armature.name} are {shown.z} m above the ground"
assert worst < 0.01, f"people stand up to {worst} m from where the CSV says"
print(f"ok  Blender {bpy.app.version_string}: {len(armatures)} people stand where the CSV says, to {worst * 1000:.1f} mm")

# Who comes to look otherwise is one body after the other: never two, never none.
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=str(work / "looks.glb"))
armatures = {found.name: found for found in bpy.data.objects if found.type == "ARMATURE"}
assert sorted(armatures) == ["agent 0", "agent 1", "agent 1 2", "agent 2"], sorted(armatures)
for frame in (0, 30, 59, 60, 61, 120):
    bpy.context.scene.frame_set(frame)
    bpy.context.view_layer.update()
    seen = {name for name, armature in armatures.items() if armature.matrix_world.to_scale().x > 0.5}
    assert seen == {"agent 0", "agent 2", "agent 1" if frame < 60 else "agent 1 2"}, (frame, seen)
print("ok  Blender: everybody wears what it wears at each moment")
